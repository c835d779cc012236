#!/bin/sh
# Standard output that is full, gone, closed or waiting, and signals.
. tests/cli/lib

image=$images/gif/one-pixel.gif
i=0
while [ $i -lt 3000 ]; do
	echo "$image"
	i=$((i + 1))
done >list

# A full disk is an error, for a line as for many, and for --help.
if [ -w /dev/full ]; then
	for arguments in "$image" '--files-from=list' '--help' '--version' \
			 '--completion=bash' "--decode $image"; do
		status=0
		"$IMGSNIFF" $arguments >/dev/full 2>err || status=$?
		[ $status = 2 ] || fail "exit status $status of $arguments"
		grep -q '^imgsniff: standard output: .*No space left' err ||
			fail "nothing was told of $arguments: $(cat err)"
	done
fi

# So is one that is closed; no file that is opened takes its place.
status=0
"$IMGSNIFF" "$image" >&- 2>err || status=$?
[ $status = 2 ] || fail "exit status $status, closed"
grep -q '^imgsniff: standard output: ' err || fail 'nothing was told, closed'

# Nobody reads any more: a quiet end, also where SIGPIPE was ignored.
rm -f status
{ "$IMGSNIFF" --json --files-from=list 2>err || echo $? >status; } | head -n 1 >first
expect status <<END
141
END
expect err </dev/null
(
	trap '' PIPE
	rm -f status
	{ "$IMGSNIFF" --json --files-from=list 2>err || echo $? >status; } |
		head -n 1 >first
)
expect status <<END
141
END
expect err </dev/null

# wait_for FILE: until something is in it, not for ever.
wait_for()
{
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 \
		 21 22 23 24 25 26 27 28 29 30; do
		[ -s "$1" ] && return
		sleep 0.1
	done
	fail "$1 stays empty"
}

# A pipe that waits gets its records while the program waits for names.
mkfifo names
"$IMGSNIFF" --template='{width}' --files-from=names | cat >seen &
exec 3>names
echo "$image" >&3
wait_for seen
exec 3>&-
wait
expect seen <<END
1
END

# SIGTERM: whole records, how far it came, and death by that signal.
rm -f seen
"$IMGSNIFF" --template='{width}' --files-from=names >seen 2>err &
program=$!
exec 3>names
echo "$image" >&3
sleep 0.5
kill -s TERM $program
status=0
wait $program || status=$?
exec 3>&-
[ $status = 143 ] || fail "exit status $status after SIGTERM"
expect seen <<END
1
END
expect err <<END
imgsniff: interrupted after 1 file
END

# One that was to be ignored stays ignored.
(
	trap '' TERM
	"$IMGSNIFF" --template='{width}' --files-from=names >seen 2>err &
	echo $! >pid
	wait
) &
exec 3>names
echo "$image" >&3
sleep 0.5
kill -s TERM "$(cat pid)"
echo "$image" >&3
exec 3>&-
wait
expect seen <<END
1
1
END
expect err </dev/null
