#!/bin/sh
# A name is bytes: none of them means anything.
. tests/cli/lib

image=$images/gif/still-87a.gif
nl='
'
bad=$(printf 'caf\351')
mkdir "t${nl}r"
for name in "a${nl}b" "$bad" '-' '--json' ' ' '%s%n' '[x]' 'a:b' '\'; do
	cp "$image" "t${nl}r/$name"
done

run 0 --print0 --template='{path}' "t${nl}r"
tr '\0\n' '\n@' <out >names
expect names <<END
t@r/ 
t@r/%s%n
t@r/-
t@r/--json
t@r/[x]
t@r/\\
t@r/a@b
t@r/a:b
t@r/$bad
END

cd "t${nl}r"
run 0 --print0 --template='{path}' -- ./- --json '[x]' "$bad"
tr '\0' '\n' <out >../names
cd ..
expect names <<END
./-
--json
[x]
$bad
END

# A list of names: a line each, or ended by NUL; "-" is no standard input.
cp "$image" a
cp "$image" -- -
printf 'a\n\n-\nnowhere\n%s' "t" >list
rm -r "t${nl}r"
mkdir t
cp "$image" t/1
run 1 --template='{path}' --files-from=list a
grep -v nowhere out >names
expect names <<END
a
a
./-
t/1
END

printf 'a\0\0a\nb\0t\0a' >list
cp "$image" "a${nl}b"
"$IMGSNIFF" --print0 --template='{path}' -0 --files-from=- <list | tr '\0\n' '\n@' >names
expect names <<END
a
a@b
t/1
a
END

# A NUL among lines is not the end of a name.
printf 'a\0\na\n' | "$IMGSNIFF" --brief --files-from=- >out 2>err && fail 'all well?'
grep -q 'is --null missing' err || fail 'nothing was told of the NUL'

# A list that is not there.
run 1 --files-from=nolist
grep -q '^imgsniff: nolist: cannot open: ' err || fail 'nothing was told'

# A name is worked on before the next one comes.
mkfifo names.fifo
"$IMGSNIFF" --template='{path}' --files-from=names.fifo >slow 2>&1 &
exec 3>names.fifo
echo a >&3
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	[ -s slow ] && break
	sleep 0.1
done
exec 3>&-
wait $! || fail 'the slow list failed'
expect slow <<END
a
END
