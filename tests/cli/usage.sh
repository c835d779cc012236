#!/bin/sh
# Wrong usage: status 2, nothing on standard output, one line that says what would
# be right; found before the first file is looked at.
. tests/cli/lib

cp "$images/gif/one-pixel.gif" a.gif

# wrong WORDS ARGUMENT...: WORDS must be in the complaint.
wrong()
{
	words=$1
	shift
	run 2 "$@"
	[ ! -s out ] || fail "output of imgsniff $*"
	[ "$(wc -l <err)" = 1 ] || fail "not one line for imgsniff $*: $(cat err)"
	grep -qF -- "$words" err || fail "no '$words' in: $(cat err)"
}

wrong '--help'
wrong 'standard input'
wrong 'no such option: --nonsense' --nonsense a.gif
wrong 'no such option: -x' -x a.gif
wrong 'several options: --max-pixels, --max-dimension' --max=3 a.gif
wrong 'takes no value' --json=1 a.gif
wrong 'needs a value' --template
wrong 'needs a value' -do
wrong 'none of pam, ppm, png, jpeg, jpg, webp, raw' -d --to=bmp a.gif
wrong 'from 1 to 100' -d --to=webp --quality=101 a.gif
wrong 'from 1 to 100' -d --to=webp --quality=0 a.gif
wrong 'none of 8, 16' -d --depth=12 a.gif
wrong 'none of auto, always, never' --color=red a.gif
wrong 'out of jpeg, png, gif, webp' --formats=gif,tga a.gif
wrong 'out of jpeg, png, gif, webp' --formats= a.gif
wrong 'such as 500000' --max-pixels=many a.gif
wrong 'such as 500000' --max-pixels=-1 a.gif
wrong 'such as 500000' --max-pixels=12Mi a.gif
wrong 'such as 65536' --max-memory=64Q a.gif
wrong 'write none' --max-pixels=99999999999999999999 a.gif
wrong 'write none' --max-memory=99999999999G a.gif
wrong 'write none' --max-dimension=5G a.gif
wrong 'at least 1' --max-input=0 a.gif
wrong 'such as 0' -d --frame=first a.gif
wrong 'at most 4294967295' -d --frame=4294967296 a.gif
wrong 'not built in' --backend=nonsense a.gif
wrong 'there are path' --template='{nonsense}' a.gif
wrong 'not closed' --template='{path' a.gif
wrong 'not opened' --template='path}' a.gif

# Options that make no sense together.
wrong 'needs --decode' -o a.pam a.gif
wrong 'needs --decode' --to=ppm a.gif
wrong 'needs --decode' --keep-damaged a.gif
wrong 'needs --decode' --lossless a.gif
wrong 'do not go together' --decode --json a.gif
wrong 'do not go together' --decode --template='{path}' a.gif
wrong 'do not go together' --decode --all-frames --frame=1 a.gif
wrong 'do not go together' --decode --fast a.gif
wrong 'needs --files-from' -0 a.gif
wrong 'is for text' --brief --json a.gif
wrong 'not both' --files-from=- a.gif -
wrong 'of one file' -d -o a.pam a.gif a.gif
wrong 'of one file' -d -o a.pam --files-from=list
wrong 'of one file' -d -o a.pam .
for to in raw png webp; do
	wrong 'for one file' -d --to=$to a.gif a.gif
done
wrong 'lossless' -d --quality=80 a.gif
wrong 'lossless' -d --quality=80 -o a.png a.gif
wrong '8 bits' -d --depth=16 --to=webp a.gif
wrong 'one frame' -d --all-frames --to=png a.gif
if "$IMGSNIFF" --version | grep -q libjpeg; then
	wrong 'lossy' -d --lossless --to=jpeg a.gif
	wrong 'one frame' -d --all-frames --to=jpeg a.gif
else
	wrong 'not built in' -d --to=jpeg a.gif
fi
wrong 'no size such as' -t big a.gif
wrong 'no size such as' -t 0 a.gif
wrong 'no size such as' -t 10x a.gif
wrong 'no size such as' -t -5 a.gif
wrong 'no size such as' -t 10x0 a.gif
wrong 'too much' -t 4294967296 a.gif
wrong 'do not go together' -t 10 -d a.gif
wrong 'do not go together' -t 10 --csv -o a.webp a.gif
wrong 'do not go together' -t 10 --brief -o a.webp a.gif
wrong 'do not go together' -t 10 --fast a.gif
wrong 'would be mixed' -t 10 --json a.gif
wrong 'need --output' -t 10 a.gif a.gif
wrong 'need --output' -t 10 .
wrong 'need --output' -t 10 --files-from=list
wrong 'needs --thumbnail' -d --update a.gif
wrong 'needs --thumbnail' --update a.gif
wrong 'GIF is not written' -d -o b.gif a.gif
wrong 'BMP is not written' -d -o b.BMP a.gif
wrong 'such as 5, 60 or none' --timeout=0.5 a.gif
wrong 'such as 5, 60 or none' --timeout= a.gif
wrong '8 bits' -t 10 --depth=16 -o out a.gif a.gif
[ ! -e a.pam ] && [ ! -e a.webp ] || fail 'a.pam was written all the same'

# What is allowed, though it looks alike.
run 0 --max-pixels=1k --max-memory=64M --max-input=none --max-frames=2K a.gif
run 0 --formats=GIF,jpg a.gif
run 0 --temp='{path}' -- a.gif
run 0 a.gif --brief
expect out <<END
GIF 1x1, palette
END

# Help and version are for standard output; the help fits into a window.
run 0 --help
expect err </dev/null
awk 'length($0) > 80 { exit 1 } END { exit NR > 45 }' out || fail 'a large help'
run 0 -V
grep -q '^imgsniff [0-9]*\.[0-9]*\.[0-9]*$' out || fail 'no version'
grep -q 'libwebp' out || fail 'no list of libraries'
