#!/bin/sh
# Workers: what becomes of a file whose worker dies or hangs, what of the others,
# and which system calls workers make.
. tests/cli/lib

# isolated ARGUMENT...: starts the program with its standard input in a FIFO, and
# sets $program and $worker, which waits for it.
isolated()
{
	rm -f input
	mkfifo input
	"$IMGSNIFF" "$@" <input >out 2>err &
	program=$!
	exec 3>input
	worker=
	tries=0
	while [ -z "$worker" ]; do
		for nursery in $(children "$program"); do
			worker=$(children "$nursery")
		done
		tries=$((tries + 1))
		[ $tries -lt 200 ] || fail 'no worker is to be found'
		[ -n "$worker" ] || sleep 0.05
	done
	worker=$(echo $worker)
	# It has said hello once it waits for work.
	while grep -q imgsniff-nursery "/proc/$worker/comm" ||
	      ! grep -q '^State:.S' "/proc/$worker/status"; do
		sleep 0.05
	done
}

children()
{
	cat "/proc/$1/task/$1/children" 2>/dev/null || :
}

# finished STATUS: the input is complete; waits for the program.
finished()
{
	exec 3>&-
	status=0
	wait "$program" || status=$?
	[ $status = "$1" ] || {
		cat err >&2
		fail "exit status $status, not $1"
	}
}

# A pixel is a pixel, whoever decodes it.
for name in png/rgba-16.png gif/animated-dispose-previous.gif \
	jpeg/progressive.jpg webp/animated-mixed.webp; do
	for how in auto never; do
		run 0 --isolate=$how --decode --all-frames --force -o $how.pam \
			"$images/$name"
	done
	cmp auto.pam never.pam || fail "$name: isolated pixels are others"
done
for name in bad/cut-in-frame-3.gif bad/cut-in-frame-3.webp bad/cut-in-scan.jpg \
	bad/idat-too-short.png; do
	for how in auto never; do
		run 1 --isolate=$how --decode --all-frames --keep-damaged --force \
			-o $how.pam "$images/$name"
		mv err $how.err
	done
	cmp auto.pam never.pam || fail "$name: isolated pixels are others"
	cmp auto.err never.err || fail "$name: isolated errors are others"
done
run 1 --decode --frame=99 -o none.pam "$images/gif/animated-dispose-previous.gif"
[ ! -e none.pam ]

# Standard input, as a file and as a pipe.
"$IMGSNIFF" --isolate=never -d "$images/png/rgba-8.png" >never.pam
"$IMGSNIFF" -d - <"$images/png/rgba-8.png" >auto.pam
cmp auto.pam never.pam
cat "$images/png/rgba-8.png" | "$IMGSNIFF" -d - >auto.pam
cmp auto.pam never.pam

run 2 --isolate=never --timeout=5 -d "$images/png/rgba-8.png"
grep -q -- '--timeout needs isolation' err
run 2 --timeout=0 -d "$images/png/rgba-8.png"
run 2 --isolate=perhaps -d "$images/png/rgba-8.png"

[ -e "/proc/$$/task/$$/children" ] || { echo 'no /proc/.../children'; exit 77; }

# The worker dies: the file has failed, the next one is decoded by another.
mkdir -p thumbs
isolated --json -t 8 -o thumbs - "$images/png/rgba-8.png"
kill -SEGV "$worker"
cat "$images/gif/still-89a.gif" >&3
finished 1
grep -q '^imgsniff: -: crashed: SIGSEGV$' err || { cat err >&2; fail 'no crash'; }
grep '"path":"-"' out | grep -q '"status":"crashed"'
grep 'rgba-8' out | grep -q '"status":"ok"'

# So it is with a check, of which the verdict is "crashed".
isolated --check --json - "$images/png/rgba-8.png"
kill -ABRT "$worker"
cat "$images/gif/still-89a.gif" >&3
finished 1
grep '"path":"-"' out | grep '"integrity":"crashed"' | grep '"status":"crashed"' |
	grep -q '"message":"crashed: SIGABRT"' || { cat out >&2; fail 'no verdict'; }
grep 'rgba-8' out | grep -q '"integrity":"intact"'
isolated --check -
kill -ABRT "$worker"
cat "$images/gif/still-89a.gif" >&3
finished 1
grep -q ': crashed: SIGABRT$' out
for how in auto never; do
	run 1 --isolate=$how --check --all-faults "$images"
	mv out $how.out
done
cmp auto.out never.out || fail 'isolated verdicts are others'

# It hangs.
isolated --timeout=1 -d -o none.pam -
kill -STOP "$worker"
cat "$images/gif/still-89a.gif" >&3
finished 1
grep -q '^imgsniff: -: timeout$' err || { cat err >&2; fail 'no timeout'; }
[ ! -e none.pam ]
[ ! -e "/proc/$worker" ] || fail 'the worker is still there'

# The program dies: so does its worker.
isolated -d -o none.pam -
kill -KILL "$program"
exec 3>&-
wait "$program" || :
tries=0
while [ -e "/proc/$worker" ]; do
	tries=$((tries + 1))
	[ $tries -lt 100 ] || fail 'the worker has outlived the program'
	sleep 0.05
done

# An interrupt is the program's business: its worker goes on.
isolated -d -o none.pam -
kill -INT "$worker"
kill -TERM "$worker"
cat "$images/gif/still-89a.gif" >&3
finished 0

# No calls but these, between a worker's hello and its end.
[ "$MODE" != asan ] || { echo 'AddressSanitizer has calls of its own'; exit 0; }
command -v strace >/dev/null || { echo 'no strace'; exit 0; }
find "$images" -type f >list
strace -f -q -e signal=none -o trace "$IMGSNIFF" -t 16 --all-frames --force \
	-o thumbs --files-from=list >/dev/null 2>&1 || :
[ -s trace ] || { echo 'strace may not trace'; exit 0; }
awk '
	/exit_group\(|\+\+\+/ { next }
	/seccomp\(SECCOMP_SET_MODE_FILTER.*\{len=/ { sealed[$1] = 1; next }
	/<\.\.\. seccomp resumed/ { next }
	sealed[$1] {
		call = $2 == "<..." ? $3 : $2
		sub(/\(.*/, "", call)
		if (call !~ /^resumed/) print call
	}' trace | sort -u >calls
[ -s calls ] || exit 0			# there is no filter
printf '%s\n' brk close fstat futex getpid gettid madvise mmap mprotect mremap \
	munmap newfstatat pread64 recvmsg rt_sigprocmask sendmsg tgkill writev |
	sort >allowed
comm -23 calls allowed >refused
[ ! -s refused ] || { cat refused >&2; fail 'a worker made other calls'; }
grep -q recvmsg calls
! grep -q 'killed by SIGSYS' trace || fail 'a worker was ended for a call'
