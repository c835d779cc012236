#!/bin/sh
# The shared library exports what the header declares, and nothing else; what our
# own files share is called isn_*.
set -eu

dir=$B/symbols
rm -rf "$dir"
mkdir -p "$dir"

# A declaration runs from IMGSNIFF_API to its semicolon.
tr '\n' ' ' <include/imgsniff.h | sed 's/IMGSNIFF_API/\n&/g' |
	sed -n 's/^IMGSNIFF_API \([^;]*\);.*/\1/p' |
	grep -o 'imgsniff_[a-z0-9_]*(' | tr -d '(' | sort >"$dir/declared"

# What sanitizers and gcov add begins with an underscore.
$NM -D --defined-only "$SHARED" | awk 'NF == 3 && $3 !~ /^_/ { print $3 }' |
	sort >"$dir/exported"
$NM -g --defined-only "$STATIC" | awk 'NF == 3 && $3 !~ /^_/ { print $3 }' |
	sort -u >"$dir/shared"

[ -s "$dir/declared" ]
bad=0
if [ "$MODE" = coverage ]; then		# gcov's run-time parts are exported
	grep '^imgsniff_' "$dir/exported" >"$dir/ours" && mv "$dir/ours" "$dir/exported"
fi
if ! diff "$dir/declared" "$dir/exported"; then
	echo 'the header (<) and the library (>) disagree'
	bad=1
fi
if grep -vE '^(imgsniff|isn)_' "$dir/shared"; then
	echo 'shared names must begin with imgsniff_ or isn_'
	bad=1
fi
exit $bad
