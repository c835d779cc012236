#!/bin/sh
# Pixels as PNG, JPEG and WebP: what was written is read again, by the program and,
# PNG, by a reader of its own, and compared.
. tests/cli/lib

pixels=${images%/*}/tests/cli/pixels.py
has_jpeg()
{
	"$IMGSNIFF" --version | grep -q libjpeg
}

# psnr_check LEAST A B: of two images
psnr_check()
{
	"$IMGSNIFF" -d --force -o a.pam "$2"
	"$IMGSNIFF" -d --force -o b.pam "$3"
	db=$(python3 "$pixels" psnr a.pam b.pam)
	[ "$db" -ge "$1" ] || fail "$3 has $db dB, not $1"
}

# PNG, 8 and 16 bits: every kind of sample comes back as it was.
mkdir 8 16
for file in "$images"/png/*.png "$images"/gif/*.gif "$images"/webp/l*.webp; do
	name=${file##*/}
	for depth in 8 16; do
		case $depth$name in 16*.gif | 16*.webp) continue ;; esac
		run 0 -d --depth=$depth -o $depth/"$name".pam "$file"
		run 0 -d --depth=$depth -o $depth/"$name".png "$file"
	done
done
for depth in 8 16; do
	cat $depth/*.pam >all.pam
	"$IMGSNIFF" -d --depth=$depth $depth/*.png | cmp - all.pam
	count=$(python3 "$pixels" same $depth)
	[ "$count" -ge 70 ] || fail "only $count images compared"
	rm all.pam
done

# It has as few bits as hold them: colour type, depth.
cd 8
python3 "$pixels" form gray-1.png.png gray-2.png.png gray-4.png.png gray-8.png.png \
	gray-alpha-8.png.png rgb-8.png.png rgba-8.png.png colours-2.gif.png \
	colours-4.gif.png transparent.gif.png >../forms
cd ../16
python3 "$pixels" form gray-16.png.png gray-alpha-16.png.png rgb-16.png.png \
	rgba-16.png.png >>../forms
cd ..
expect forms <<END
0 1
0 2
0 4
0 8
4 8
2 8
6 8
3 1
3 2
3 4
0 16
4 16
2 16
6 16
END

# A pipe gets the same bytes as a file.
for file in "$images/png/rgba-8.png" "$images/png/gray-16.png"; do
	"$IMGSNIFF" -d --to=png "$file" >piped.png
	run 0 -d --force -o file.png "$file"
	cmp piped.png file.png
done

# WebP without loss: the colour of what cannot be seen comes back too.
for file in "$images"/png/rgba-8.png "$images"/png/trns-*8.png \
	    "$images"/webp/lossy-alpha.webp "$images"/gif/transparent.gif; do
	run 0 -d --force -o a.pam "$file"
	run 0 -d --force --lossless -o a.webp "$file"
	run 0 -d --force -o b.pam a.webp
	cmp a.pam b.pam
done
run 0 --template='{format} {compression}' a.webp
expect out <<END
webp lossless
END

# With loss, but not too much of it, and less with more quality.
for file in "$images"/webp/lossy.webp "$images"/webp/lossy-alpha.webp; do
	for quality in 10 80 95; do
		run 0 -d --quality=$quality -o q$quality.webp "$file"
	done
	psnr_check 33 "$file" q80.webp
	psnr_check 36 "$file" q95.webp
	[ "$(wc -c <q10.webp)" -lt "$(wc -c <q80.webp)" ] || fail 'no effect'
	[ "$(wc -c <q80.webp)" -lt "$(wc -c <q95.webp)" ] || fail 'no effect'
	run 0 -d --force --to=webp -o q "$file"
	cmp q q80.webp
	rm q*
done

# Animations: the frames, their durations and the plays are kept.
for file in "$images"/gif/animated-dispose-previous.gif \
	    "$images"/gif/loop-3.gif "$images"/gif/delay-0.gif \
	    "$images"/png/apng-dispose-background.png \
	    "$images"/webp/animated-mixed.webp; do
	run 0 -d --all-frames --force -o a.pam "$file"
	run 0 -d --all-frames --lossless --force -o a.webp "$file"
	run 0 -d --all-frames --force -o b.pam a.webp
	cmp a.pam b.pam
	run 0 --template='{frames} {plays} {durations_ms}' "$file"
	mv out wanted
	run 0 --template='{frames} {plays} {durations_ms}' a.webp
	diff out wanted || fail "the times of $file are not kept"
done
run 0 -d --force -o a.webp "$images/gif/animated-opaque.gif"
run 0 --template='{frames}' a.webp
expect out <<END
1
END
run 0 -d --all-frames --force -o a.webp "$images/gif/still-89a.gif"
run 0 --template='{frames} {animated}' a.webp
expect out <<END
1 false
END

# JPEG.
if has_jpeg; then
	for file in "$images"/jpeg/quality-100.jpg "$images"/jpeg/gray.jpg \
		    "$images"/png/gray-alpha-8.png; do
		for quality in 10 85 95; do
			run 0 -d --quality=$quality -o q$quality.jpg "$file"
		done
		psnr_check 27 "$file" q85.jpg
		psnr_check 33 "$file" q95.jpg
		[ "$(wc -c <q10.jpg)" -lt "$(wc -c <q85.jpg)" ] || fail 'no effect'
		run 0 -d --force --to=jpg -o q "$file"
		cmp q q85.jpg
		rm q*
	done
	run 0 -d --force -o gray.jpeg "$images/png/gray-8.png"
	run 0 -d --force -o rgb.JPG "$images/png/rgb-8.png"
	run 0 --template='{format} {color_type} {progressive} {bit_depth}' \
		gray.jpeg rgb.JPG
	expect out <<-END
	jpeg gray false 8
	jpeg ycbcr false 8
	END
else
	run 2 -d --to=jpeg -o a.jpg "$images/png/rgb-8.png"
	grep -q 'not built in' err || fail 'nothing was told of what is missing'
fi

# The suffix tells what to write, --to before it, and PAM if neither does.
run 0 -d -o a.PNG "$images/gif/still-87a.gif"
run 0 -d --to=png -o b.webp "$images/gif/still-87a.gif"
cmp a.PNG b.webp
run 0 -d --force -o a.pam "$images/gif/still-87a.gif"
run 0 -d -o a.dat "$images/gif/still-87a.gif"
cmp a.dat a.pam

# A full disk, also for what is written in one go.
if [ -c /dev/full ]; then
	for to in png webp; do
		run 2 -d --to=$to -o /dev/full "$images/gif/still-87a.gif"
		grep -q 'No space left' err || fail "nothing was told by $to"
	done
fi
