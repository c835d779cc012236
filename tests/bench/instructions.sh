#!/bin/sh
# instructions.sh BENCH: how many instructions a decode takes, over those of the
# bare library. Time is noisy, instructions are not: 1.01 is the bound.
#
# A decode's instructions are those of a run of three less those of a run of one,
# halved: the program's start, loading the file and the first decode drop out.
set -u
bench=$1
bound=1.01

command -v valgrind >/dev/null || {
	echo 'instructions: there is no valgrind'
	exit 0
}

dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
trap 'exit 2' INT TERM
"$bench" --images "$dir" || exit 2

# collected WHO FILE TIMES
collected()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		"$bench" --once "$1" "$2" "$3" 2>&1 |
		sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

# decode WHO FILE
decode()
{
	three=$(collected "$1" "$2" 3)
	one=$(collected "$1" "$2" 1)
	echo $(((${three:-0} - ${one:-0}) / 2))
}

printf '\nInstructions of a decode, ours over those of the bare library\n'
broken=0
for file in "$dir"/*; do
	ours=$(decode ours "$file")
	bare=$(decode bare "$file")
	[ "$bare" -gt 0 ] || {
		echo "instructions: no figures for ${file##*/}" >&2
		exit 2
	}
	kept=$(awk -v o="$ours" -v b="$bare" -v m=$bound \
		'BEGIN { print o / b <= m ? "kept" : "BROKEN" }')
	awk -v k="$kept" -v o="$ours" -v b="$bare" -v f="${file##*/}" -v m=$bound \
		'BEGIN { printf "  %-8s %7.4f (<= %g)  %-16s %d against %d\n",
			k, o / b, m, f, o, b }'
	[ "$kept" = kept ] || broken=$((broken + 1))
done
printf '\n%d ratios of instructions not as promised\n' $broken
[ $broken = 0 ]
