#!/bin/sh
# Standard input and pipes: the same answers as from files, and no more is read
# than must be.
. tests/cli/lib

image=$images/webp/animated-lossless.webp

run 0 --brief "$image"
mv out from-file
cat "$image" | "$IMGSNIFF" --brief - >from-pipe
expect from-pipe <from-file
"$IMGSNIFF" --brief - <"$image" >from-input
expect from-input <from-file
(cat "$image"; sleep 5) | "$IMGSNIFF" --brief --fast - >from-slow &
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	[ -s from-slow ] && break
	sleep 0.1
done
[ -s from-slow ] || fail 'the end of the pipe was waited for'

# Byte by byte.
(head -c 20 "$image"; sleep 0.1; tail -c +21 "$image") |
	"$IMGSNIFF" --brief - >from-parts
expect from-parts <from-file

# What is no image is described from what was read of the pipe.
printf 'This is text.\n' | "$IMGSNIFF" - >text && fail 'text is an image'
expect text <<END
-: not an image: ASCII text
END
"$IMGSNIFF" - </dev/null >text && fail 'nothing is an image'
expect text <<END
-: not an image: empty
END

# Cut inside: where it ends.
head -c 300 "$image" | "$IMGSNIFF" --brief - >out 2>err && fail 'a cut pipe is well'
grep -q ', truncated$' out || fail "cut: $(cat out)"
grep -q '^imgsniff: -: .* (at byte 300)$' err || fail "cut: $(cat err)"

# So it is told also where a length leads far beyond the end.
{
	head -c 33 "$images/png/rgb-8.png"	# up to the end of IHDR
	printf '\000\017\102\100tEXt'		# a chunk of 1000000 bytes
	head -c 20000 /dev/zero
} >far.png
run 1 --brief far.png
grep -q ' (at byte 20041)$' err || fail "far: $(cat err)"
cat far.png | "$IMGSNIFF" --brief - >out 2>err && fail 'a cut pipe is well'
grep -q ' (at byte 20041)$' err || fail "far, pipe: $(cat err)"

# A limit on what is read holds for both, and says how it is raised.
run 1 --max-input=40 "$image"
grep -q 'max-input allows.*; see --max-input$' err || fail "file: $(cat err)"
cat "$image" | "$IMGSNIFF" --json --max-input=40 - >out 2>err && fail 'no limit'
grep -q 'max-input allows.*; see --max-input$' err || fail "pipe: $(cat err)"
grep -q '"status":"limit"' out || fail "pipe: $(cat out)"

size=$(wc -c <"$image")
run 0 --max-input=$size "$image"
cat "$image" | "$IMGSNIFF" --max-input=$size - >out || fail 'all of it is too much'
cat "$image" | "$IMGSNIFF" --max-input=$((size - 1)) - >out 2>&1 && fail 'one too many'
cat "$image" | "$IMGSNIFF" --max-memory=100 - >out 2>err && fail 'no limit of memory'
grep -q 'max-memory allows.*; see --max-memory$' err || fail "memory: $(cat err)"

# Pixels of several inputs, one after another; a pipe among them.
cat "$image" | "$IMGSNIFF" --decode --to=ppm - "$images/gif/one-pixel.gif" >pixels
[ "$(wc -c <pixels)" = $((13 + 32 * 24 * 3 + 11 + 3)) ] || fail 'no two images'
