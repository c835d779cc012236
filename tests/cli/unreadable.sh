#!/bin/sh
# What may not be read is told once, and the walk goes on. Root may read all: the
# program is then run as somebody else.
. tests/cli/lib

[ "$MODE" != coverage ] || { echo 'somebody else could not write the figures'; exit 77; }

image=$images/gif/still-87a.gif
mkdir -p tree/b tree/locked tree/unsearchable tree/z
for f in tree/a tree/b/1 tree/locked/1 tree/unsearchable/1 tree/z/9; do
	cp "$image" $f
done
cp "$image" tree/c
chmod 0 tree/c tree/locked
chmod 444 tree/unsearchable

as=
if [ "$(id -u)" = 0 ]; then
	command -v setpriv >/dev/null || { echo 'setpriv is not there'; exit 77; }
	as='setpriv --reuid=65534 --regid=65534 --clear-groups'
	chmod 755 .
	cp "$IMGSNIFF" program
	$as ./program --version >/dev/null 2>&1 || {
		echo 'the program cannot be run as somebody else'
		exit 77
	}
	IMGSNIFF=./program
fi

status=0
$as "$IMGSNIFF" --template='{path} {width}' tree >out 2>err || status=$?
[ $status = 1 ] || fail "exit status $status"
grep ' 32$' out >walked
expect walked <<END
tree/a 32
tree/b/1 32
tree/z/9 32
END
expect err <<END
imgsniff: tree/c: cannot open: Permission denied
imgsniff: tree/locked: cannot open: Permission denied
imgsniff: tree/unsearchable/1: cannot open: Permission denied
END
