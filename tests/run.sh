#!/bin/sh
# run.sh LOGDIR TEST...: runs each test, a line for each, what it said only when
# it failed, and a line that counts at the end.
#
# A TEST is a program or a shell script; the name printed is its place under
# tests/. Exit status 0: passed, 77: does not apply here, else failed.
set -u

if [ "${RUN_ONE:-}" ]; then		# called by xargs below
	test=$1
	name=${test#"$B/"}
	name=${name#tests/}
	name=${name%.sh}
	log=$RUN_ONE/$(echo "$name" | tr / -).log
	case $test in
	*.sh)		sh "$test" ;;
	*/fuzz/*)	"./$test" tests/fuzz/corpus test-images ;;
	*)		"./$test" ;;
	esac >"$log" 2>&1 </dev/null
	status=$?
	case $status in
	0)	printf 'ok      %s\n' "$name"; echo >>"$RUN_ONE/passed" ;;
	77)	printf 'skip    %s: %s\n' "$name" "$(tail -n 1 "$log")"
		echo >>"$RUN_ONE/skipped" ;;
	*)	printf 'FAILED  %s (exit %d)\n%s\n' "$name" $status \
			"$(tail -n 40 "$log" | sed 's/^/        /')"
		echo >>"$RUN_ONE/failed" ;;
	esac
	exit 0
fi

logs=$1
shift
rm -rf "$logs"
mkdir -p "$logs"
: >"$logs/passed" >"$logs/skipped" >"$logs/failed"

export RUN_ONE="$logs"
export ASAN_OPTIONS="allocator_may_return_null=1:detect_stack_use_after_return=1"
export UBSAN_OPTIONS=print_stacktrace=1
printf '%s\n' "$@" | xargs -n 1 -P "${TEST_JOBS:-2}" sh "$0"

count() { wc -l <"$logs/$1" | tr -d ' '; }
skipped=$(count skipped)
[ "$skipped" = 0 ] || skipped_text=", $skipped skipped"
echo "$(count passed) passed, $(count failed) failed${skipped_text:-}"
[ "$(count failed)" = 0 ] && [ "$(count passed)" != 0 ]
