#!/bin/sh
# renew.sh - store what the program says now, and show what that changes
set -eu
. tests/golden/list.sh

facts >"$B/facts.new"
pixels >"$B/pixels.new"
diff -u tests/golden/facts.jsonl "$B/facts.new" || true
diff -u tests/golden/pixels.txt "$B/pixels.new" || true
mv "$B/facts.new" tests/golden/facts.jsonl
mv "$B/pixels.new" tests/golden/pixels.txt
