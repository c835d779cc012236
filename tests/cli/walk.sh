#!/bin/sh
# What a walk meets, in which order, and what it passes over.
. tests/cli/lib

image=$images/gif/still-87a.gif
mkdir -p tree/b/c tree/empty tree/z
for f in tree/a tree/b/1 tree/b/c/2 tree/b/z tree/y tree/z/9; do
	cp "$image" $f
done
echo text >tree/text

# Sorted by their bytes, depth first; what is no image is passed over.
run 0 --template='{path}' tree
expect out <<END
tree/a
tree/b/1
tree/b/c/2
tree/b/z
tree/y
tree/z/9
END
expect err </dev/null

run 1 --all --brief tree/text tree/z/
expect out <<END
not an image: ASCII text
GIF 32x24, palette
END

# A slash is not doubled.
run 0 --template='{path}' tree/z/ ./tree/z
expect out <<END
tree/z/9
./tree/z/9
END

# Patterns are for what is met in a walk, not for what is named.
run 0 --template='{path}' --include='[0-9]' --exclude=c --exclude='*/z/' tree tree/y
expect out <<END
tree/b/1
tree/y
END

# Only files are read in a walk; a FIFO would never end.
mkfifo tree/fifo
ln -s a tree/link
ln -s nowhere tree/dangling
ln -s ../b tree/z/to-b
run 0 --template='{path}' tree/z tree
expect out <<END
tree/z/9
tree/a
tree/b/1
tree/b/c/2
tree/b/z
tree/y
tree/z/9
END

# A link that was named is what it leads to.
ln -s tree/z named
run 0 --template='{path}' named tree/link
expect out <<END
named/9
tree/link
END

# Followed, links lead to files and folders, but not round in circles.
ln -s ../.. tree/b/c/up
run 1 --follow --template='{path}' tree
grep -v '^tree/\(b/c/up\|z/to-b/c/up\|dangling\)$' out >walked
expect walked <<END
tree/a
tree/b/1
tree/b/c/2
tree/b/z
tree/link
tree/y
tree/z/9
tree/z/to-b/1
tree/z/to-b/c/2
tree/z/to-b/z
END
sort err >err.sorted
expect err.sorted <<END
imgsniff: tree/b/c/up: the folder contains itself by a link: Too many levels of symbolic links
imgsniff: tree/dangling: cannot open: No such file or directory
imgsniff: tree/z/to-b/c/up: the folder contains itself by a link: Too many levels of symbolic links
END

# A named FIFO is read.
cat "$image" >tree/fifo &
run 0 --brief tree/fifo
expect out <<END
GIF 32x24, palette
END
wait

# What is not there is told, and the rest is done.
run 1 --template='{path}' nowhere tree/z
grep -q '^tree/z/9$' out || fail 'the walk ended early'
grep -q '^imgsniff: nowhere: cannot open: ' err || fail 'nothing was told'
