#!/bin/sh
# Trees deeper than paths can be long, with the fewest descriptors there can be.
. tests/cli/lib

# 3000 folders in one another, a file in each: made by going down, since no path
# reaches the bottom.
python=$(command -v python3) || { echo 'python3 makes the tree'; exit 77; }
"$python" - "$images/gif/still-87a.gif" <<'END'
import os, sys
image = open(sys.argv[1], 'rb').read()
os.mkdir('deep')
os.chdir('deep')
for i in range(3000):
    with open('z.gif', 'wb') as f:
        f.write(image)
    os.mkdir('folder-%04d' % i)
    os.chdir('folder-%04d' % i)
END

ulimit -n 16
for option in --exclude=x --follow; do
	run 0 $option --brief deep
	[ "$(wc -l <out)" = 3000 ] || fail "not all files were met ($option)"
done

# Many folders, one after another.
mkdir wide
for i in 1 2 3 4 5 6 7 8 9; do
	for j in 1 2 3 4 5 6 7 8 9; do
		mkdir -p wide/$i/$j/x/y
		cp "$images/gif/still-87a.gif" wide/$i/$j/x/y/1
	done
done
run 0 --brief wide
[ "$(wc -l <out)" = 81 ] || fail 'not all files were met'

"$python" - <<'END'
import os
depth = 0
os.chdir('deep')
while True:
    names = [n for n in os.listdir('.') if n.startswith('folder')]
    if not names:
        break
    os.chdir(names[0])
    depth += 1
while depth:
    os.chdir('..')
    for n in os.listdir('.'):
        os.rmdir(n) if n.startswith('folder') else os.unlink(n)
    depth -= 1
END
