#!/bin/sh
# Every frame of every test image has the pixels that pixels.txt has the hash of.
set -eu
. tests/golden/list.sh

mkdir -p "$B/golden"
pixels >"$B/golden/pixels.txt"
case $DEP_FLAGS in
*HAVE_LIBJPEG=1*)
	diff tests/golden/pixels.txt "$B/golden/pixels.txt"
	;;
*)
	without_jpeg tests/golden/pixels.txt >"$B/golden/wanted.txt"
	without_jpeg "$B/golden/pixels.txt" >"$B/golden/got.txt"
	diff "$B/golden/wanted.txt" "$B/golden/got.txt"
	;;
esac
