#!/bin/sh
# --formats: other images are passed over in a walk, and a failure if named.
. tests/cli/lib

mkdir tree
cp "$images/gif/one-pixel.gif" tree/a.gif
cp "$images/webp/lossless-one-pixel.webp" tree/b.webp
echo text >tree/c

run 0 --brief --formats=webp tree
expect out <<END
WebP 1x1, lossless, 8-bit RGB
END
expect err </dev/null
run 0 --brief --formats=webp,gif tree
[ "$(wc -l <out)" = 2 ] || fail 'not both'
run 0 --brief --formats=webp --formats=gif tree
[ "$(wc -l <out)" = 2 ] || fail 'not both, of two options'
run 0 --formats=png tree
expect out </dev/null

run 1 --formats=webp tree/a.gif tree/b.webp tree/c
expect out <<END
tree/a.gif: GIF, unsupported
tree/b.webp: WebP 1x1, lossless, 8-bit RGB
tree/c: not an image: ASCII text
END
expect err <<END
imgsniff: tree/a.gif: format: not one of those in --formats
END

# The same of a pipe, which cannot be looked at in advance.
cat tree/a.gif | "$IMGSNIFF" --brief --formats=webp - >out 2>err && fail 'all well?'
expect out <<END
GIF, unsupported
END

# It is not decoded either.
run 1 --decode --formats=webp tree/a.gif
expect out </dev/null
