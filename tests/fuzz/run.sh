#!/bin/sh
# run.sh SECONDS TARGET...: each target under libFuzzer, for SECONDS each
#
# What a target finds interesting stays in build/fuzz/corpus/TARGET; a crash ends
# the run and leaves its input in build/fuzz/.
set -eu

seconds=$1
shift
[ $# -gt 0 ] || { echo 'no fuzz targets' >&2; exit 1; }
for target; do
	name=${target##*/}
	mkdir -p "build/fuzz/corpus/$name"
	echo "== $name"
	"./$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 \
		-max_len=65536 -print_final_stats=1 -verbosity=0 \
		-artifact_prefix="build/fuzz/$name-" "build/fuzz/corpus/$name" \
		$(find tests/fuzz/corpus test-images -type d 2>/dev/null)
done
