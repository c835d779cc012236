#!/bin/sh
# --help and imgsniff(1) name the same options; imgsniff(3) names every function;
# both pages are well formed.
set -eu

[ -e man/imgsniff.1 ] && [ -e man/imgsniff.3 ] || { echo 'no manual'; exit 1; }
dir=$B/manual
mkdir -p "$dir"
bad=0

"$IMGSNIFF" --help | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u >"$dir/help"
grep -oE 'Fl Fl [a-z][a-z0-9-]*' man/imgsniff.1 | sed 's/^Fl Fl /--/' |
	sort -u >"$dir/man"
[ -s "$dir/help" ]
if ! diff "$dir/help" "$dir/man"; then
	echo '--help (<) and man/imgsniff.1 (>) name different options'
	bad=1
fi

tr '\n' ' ' <include/imgsniff.h | sed 's/IMGSNIFF_API/\n&/g' |
	sed -n 's/^IMGSNIFF_API \([^;]*\);.*/\1/p' |
	grep -o 'imgsniff_[a-z0-9_]*(' | tr -d '(' | sort -u |
while read -r name; do
	grep -qE "(^|[^a-z_])$name([^a-z_]|\$)" man/imgsniff.3 ||
		echo "man/imgsniff.3 does not name $name"
done >"$dir/unnamed"
if [ -s "$dir/unnamed" ]; then
	cat "$dir/unnamed"
	bad=1
fi

if command -v mandoc >/dev/null; then
	mandoc -Tlint -Wwarning man/imgsniff.1 man/imgsniff.3 || bad=1
fi
exit $bad
