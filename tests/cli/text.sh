#!/bin/sh
# The lines for people, and what is told beside them.
. tests/cli/lib

# anim.gif: 640x480, 42 frames of one pixel; 38 of 70 ms, 4 of 135 ms.
{
	printf 'GIF89a\200\002\340\001\200\000\000'
	printf '\000\000\000\377\377\377'
	printf '\041\377\013NETSCAPE2.0\003\001\000\000\000'
	i=0
	while [ $i -lt 42 ]; do
		[ $i -lt 38 ] && delay='\007' || delay='\016'
		printf "\\041\\371\\004\\000$delay\\000\\000\\000"
		printf '\054\000\000\000\000\001\000\001\000\000'
		printf '\002\002\104\001\000'
		i=$((i + 1))
	done
	printf '\073'
} >anim.gif
echo 'This is text.' >notes.txt
: >empty
printf 'BM\044\000\000\000\000\000\000\000\032\000\000\000\014\000\000\000' >a.bmp

run 0 anim.gif
expect out <<END
anim.gif: GIF 640x480, palette, 42 frames, 3.22 s, loops for ever
END
expect err </dev/null

run 1 notes.txt empty
expect out <<END
notes.txt: not an image: ASCII text
empty: not an image: empty
END
expect err </dev/null

cp "$images/jpeg/orientation-6.jpg" "$images/jpeg/progressive.jpg" .
cp "$images/jpeg/icc.jpg" "$images/png/adam7-palette-4.png" .
cp "$images/png/trns-gray-16.png" "$images/webp/lossy-alpha.webp" .
run 0 orientation-6.jpg progressive.jpg icc.jpg adam7-palette-4.png \
	trns-gray-16.png lossy-alpha.webp
expect out <<END
orientation-6.jpg: JPEG 40x30, 8-bit YCbCr, orientation 6 (shown 30x40)
progressive.jpg: JPEG 40x30, 8-bit YCbCr, progressive
icc.jpg: JPEG 40x30, 8-bit YCbCr, ICC
adam7-palette-4.png: PNG 32x24, 4-bit palette, interlaced
trns-gray-16.png: PNG 32x24, 16-bit gray with transparency
lossy-alpha.webp: WebP 32x24, lossy, 8-bit YCbCr with transparency
END
expect err </dev/null

# What cannot be read is no record, but told; the rest is done.
run 1 nowhere anim.gif
expect out <<END
anim.gif: GIF 640x480, palette, 42 frames, 3.22 s, loops for ever
END
expect err <<END
imgsniff: nowhere: cannot open: No such file or directory
END

# Only detected; and cut: what was found is there, with the error and its place.
head -c 900 anim.gif >cut.gif
run 1 a.bmp cut.gif
expect out <<END
a.bmp: BMP, unsupported
cut.gif: GIF 640x480, palette, 37 frames, 2.59 s, loops for ever, truncated
END
expect err <<END
imgsniff: a.bmp: format: detected, not decoded
imgsniff: cut.gif: image descriptor: the file ends inside it (at byte 900)
END

# Into one place, they come in the order in which they happened.
"$IMGSNIFF" anim.gif a.bmp cut.gif notes.txt >both 2>&1 && fail 'all well?'
expect both <<END
anim.gif: GIF 640x480, palette, 42 frames, 3.22 s, loops for ever
a.bmp: BMP, unsupported
imgsniff: a.bmp: format: detected, not decoded
cut.gif: GIF 640x480, palette, 37 frames, 2.59 s, loops for ever, truncated
imgsniff: cut.gif: image descriptor: the file ends inside it (at byte 900)
notes.txt: not an image: ASCII text
END

run 1 --brief anim.gif notes.txt
expect out <<END
GIF 640x480, palette, 42 frames, 3.22 s, loops for ever
not an image: ASCII text
END
run 1 --mime-type anim.gif notes.txt a.bmp nowhere
expect out <<END
anim.gif: image/gif
notes.txt: text/plain
a.bmp: image/bmp
END
run 1 -bi anim.gif notes.txt
expect out <<END
image/gif
text/plain
END

# Quiet: the exit status tells, and only what could not be read is complained of.
run 0 --quiet anim.gif
expect out </dev/null
run 1 --quiet anim.gif notes.txt cut.gif a.bmp nowhere
expect out </dev/null
expect err <<END
imgsniff: nowhere: cannot open: No such file or directory
END

# In a walk, what is no image is passed over, unless asked for.
mkdir tree
cp anim.gif tree/a
cp notes.txt tree/b
run 0 --brief tree
expect out <<END
GIF 640x480, palette, 42 frames, 3.22 s, loops for ever
END
run 1 --brief --all tree
expect out <<END
GIF 640x480, palette, 42 frames, 3.22 s, loops for ever
not an image: ASCII text
END

# Colours only where they are asked for.
run 0 --brief --color=always anim.gif
printf '\033[1mGIF 640x480\033[0m, palette, 42 frames, 3.22 s, loops for ever\n' |
	expect out
run 0 --brief --color=auto anim.gif
expect out <<END
GIF 640x480, palette, 42 frames, 3.22 s, loops for ever
END
