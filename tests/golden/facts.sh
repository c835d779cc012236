#!/bin/sh
# What --json says of every test image is what facts.jsonl has.
set -eu
. tests/golden/list.sh

mkdir -p "$B/golden"
facts >"$B/golden/facts.jsonl"
diff tests/golden/facts.jsonl "$B/golden/facts.jsonl"
