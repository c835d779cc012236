#!/bin/sh
# Every layer compiles with nothing in reach but what it may know:
#
#	base	knows no images		pixel, meta	know base
#	codecs	know those, codec.h and no other codec
#	lib	knows all		cli	sees the public header and itself
#
# src/codec/stb is no codec but a backend that several share.
set -eu

reach=$B/reach
bad=0

# layer_check FILES-PATTERN ALLOWED...: ALLOWED are names under src/
layer_check()
{
	files=$1
	shift
	rm -rf "$reach"
	mkdir -p "$reach/codec"
	for name; do
		[ ! -e "src/$name" ] || ln -s "$PWD/src/$name" "$reach/$name"
	done
	for file in $files; do
		[ -e "$file" ] || continue
		# An #include "" of the file's own folder is found there; this
		# catches one that climbs out of it.
		if grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*\.\./' "$file"; then
			echo "$file: includes a path with .."
			bad=1
		fi
		$CC -std=c11 -D_GNU_SOURCE -Iinclude $DEP_FLAGS -I"$reach" \
			-fsyntax-only -x c "$file" || {
			echo "$file: reaches beyond its layer, or does not" \
				"compile by itself"
			bad=1
		}
	done
}

layer_check 'src/base/*.[ch]' base
layer_check 'src/pixel/*.[ch]' base pixel
layer_check 'src/meta/*.[ch]' base meta
layer_check 'src/codec.h' base
layer_check 'src/codec/codecs.h' base codec.h
layer_check 'src/codec/stb/*.[ch]' base pixel meta codec.h codec/stb
for codec in jpeg png gif webp other; do
	layer_check "src/codec/$codec/*.[ch]" base pixel meta codec.h \
		codec/codecs.h codec/stb "codec/$codec"
done
rm -rf "$reach"

for file in src/lib/*.[ch] src/lib/*/*.[ch]; do
	$CC -std=c11 -D_GNU_SOURCE -Iinclude -Isrc $DEP_FLAGS -fsyntax-only -x c \
		"$file" || bad=1
done
for file in src/cli/*.[ch]; do
	$CC -std=c11 -D_GNU_SOURCE -Iinclude -Isrc/cli $DEP_FLAGS -fsyntax-only \
		-x c "$file" || bad=1
done

# The libraries that only the program may use.
if grep -nE '#[[:space:]]*include[[:space:]]*<(magic|archive)' \
	-r src --include='*.[ch]' | grep -v '^src/cli/'; then
	echo 'libmagic and libarchive belong to the program'
	bad=1
fi
exit $bad
