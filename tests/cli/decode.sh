#!/bin/sh
# Pixels into a file, a pipe or nothing, and what is left when that fails.
. tests/cli/lib

still=$images/gif/still-87a.gif
animated=$images/gif/animated-dispose-none.gif
cut=$images/bad/cut-in-frame-3.gif

# pam_count FILE: how many images it holds.
pam_count()
{
	grep -a -c '^ENDHDR$' "$1" || :
}

# nothing_left: no temporary file.
nothing_left()
{
	for f in .imgsniff-*; do
		[ ! -e "$f" ] || fail "$f was left"
	done
}

run 0 --decode "$still"
mv out still.pam
head -n 7 still.pam >head
expect head <<END
P7
WIDTH 32
HEIGHT 24
DEPTH 4
MAXVAL 255
TUPLTYPE RGB_ALPHA
ENDHDR
END
[ "$(wc -c <still.pam)" = $((32 * 24 * 4 + $(wc -c <head))) ] ||
	fail 'the PAM has not all its pixels'

run 0 -d -o made.pam "$still"
cmp made.pam still.pam
run 0 -d -o - "$still"
cmp out still.pam
"$IMGSNIFF" -d - <"$still" | cmp - still.pam
"$IMGSNIFF" -d -o /dev/stdout --force "$still" >straight
cmp straight still.pam

# The pixels alone, and without alpha.
run 0 -d --to=raw -o made.raw "$still"
tail -c $((32 * 24 * 4)) still.pam | cmp - made.raw
run 0 -d --to=ppm -o made.ppm "$still"
[ "$(wc -c <made.ppm)" = $((32 * 24 * 3 + 13)) ] || fail 'odd size of a PPM'
run 0 -d --depth=16 -o deep.pam "$still"
grep -a -q '^MAXVAL 65535$' deep.pam || fail 'not 16 bits'
[ "$(wc -c <deep.pam)" = $((32 * 24 * 8 + $(wc -c <head) + 2)) ] ||
	fail 'odd size of a 16-bit PAM'

# Frames.
run 0 -d --all-frames -o all.pam "$animated"
frames=$("$IMGSNIFF" --template='{frames}' "$animated")
[ "$(pam_count all.pam)" = "$frames" ] || fail 'not all frames were written'
run 0 -d -o first.pam "$animated"
run 0 -d --frame=0 -o frame-0.pam "$animated"
cmp first.pam frame-0.pam
run 0 -d --frame=$((frames - 1)) -o last.pam "$animated"
tail -c "$(wc -c <last.pam)" all.pam | cmp - last.pam
run 1 -d --frame=$frames -o none.pam "$animated"
grep -q 'none of this number' err || fail "what is wrong with the number: $(cat err)"
[ ! -e none.pam ] || fail 'a frame that is not there was written'

# A file that exists, and the input.
cp "$still" in.gif
run 2 -d -o made.pam in.gif
grep -q '^imgsniff: made.pam: exists' err || fail 'nothing was told'
run 0 -d --force -o made.pam "$animated"
cmp made.pam first.pam
for name in in.gif ./in.gif hard soft; do
	ln -f in.gif hard
	ln -sf in.gif soft
	run 2 -d --force -o $name in.gif
	cmp in.gif "$still"
done
"$IMGSNIFF" -d --force -o in.gif - <in.gif && fail 'the input was replaced'
cmp in.gif "$still"
"$IMGSNIFF" -d in.gif >>in.gif && fail 'pixels went to the end of the input'
cmp in.gif "$still"
"$IMGSNIFF" -d - <in.gif 1<>in.gif && fail 'pixels went over the input'
cmp in.gif "$still"
run 2 -d -o nofolder/made.pam "$still"
run 2 -d -o . "$still"

# What is no file.
run 0 -d -o /dev/null "$still"
mkfifo fifo
cat fifo >from-fifo &
run 0 -d -o fifo "$still"
wait
cmp from-fifo still.pam
if [ -c /dev/full ]; then
	run 2 -d -o /dev/full "$still"
	grep -q 'No space left' err || fail 'nothing was told of the full disk'
	"$IMGSNIFF" -d "$still" >/dev/full 2>err && fail 'a full disk is well?'
	grep -q 'No space left' err || fail 'nothing was told of the full disk'
fi

# Damage: nothing is written, unless that is wanted.
run 1 -d --all-frames -o cut.pam "$cut"
[ ! -e cut.pam ] || fail 'a damaged image was written'
run 1 -d --all-frames --keep-damaged -o cut.pam "$cut"
[ "$(pam_count cut.pam)" -ge 2 ] || fail 'the whole frames were not kept'
grep -q '^imgsniff: .*cut-in-frame-3.gif: ' err || fail 'nothing was told'
run 1 -d -o text.pam "$images/README.md"
[ ! -e text.pam ] || fail 'a text was decoded'
nothing_left

# A size limit on the file is a failed write like any other, and no signal.
( ulimit -f 1; "$IMGSNIFF" --isolate=never -d --depth=16 -o big.pam "$still" ) \
	2>err && fail 'the file was too large'
grep -q '^imgsniff: big.pam: cannot write: ' err || fail 'nothing was told'
[ ! -e big.pam ] || fail 'a part of a file has its name'
nothing_left

# Not to a terminal.
if command -v script >/dev/null; then
	script -qec "'$IMGSNIFF' -d '$still'" /dev/null >terminal </dev/null &&
		fail 'pixels went to a terminal'
	grep -q 'not written to a terminal' terminal || fail 'nothing was told'
fi
