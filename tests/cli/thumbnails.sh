#!/bin/sh
# Thumbnails: where they go, what is replaced and what never is, and how they look.
. tests/cli/lib

pixels=${images%/*}/tests/cli/pixels.py

# tree FOLDER: all files below it, sorted; none of them may be a temporary one.
tree()
{
	(cd "$1" && find . -type f | LC_ALL=C sort)
}

mkdir -p in/sub/deep
cp "$images/png/rgb-8.png" in/a.png
cp "$images/gif/transparent.gif" in/a.gif
cp "$images/png/gray-8.png" in/sub/b.png
cp "$images/webp/lossy.webp" in/sub/deep/c.webp
cp "$images/bad/cut-in-idat.png" in/sub/bad.png
echo text >in/sub/notes.txt

# One to standard output, into a file, into a folder.
run 0 -t 10 in/a.png
mv out a.webp
run 0 -t 10 -o one.webp in/a.png
cmp a.webp one.webp
run 0 --thumbnail=10x10 -o one/ in/a.png
cmp a.webp one/a.png.webp
mkdir two
"$IMGSNIFF" -t 10 -o two - <in/a.png
cmp a.webp two/stdin.webp
cp in/a.png png.png
run 0 -t 10 -o ten.png in/a.png
run 0 --template='{format} {width}' ten.png
expect out <<END
png 10
END

run 2 -t 10 -o missing/one.webp in/a.png
[ ! -e missing ] || fail 'a folder was made for one file'

# A folder: the same tree, a suffix more; bad images cost a line each.
run 1 -t 10 -o out1/new in
expect out </dev/null
[ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"
grep -q '^imgsniff: in/sub/bad.png: ' err || fail 'nothing told of the bad image'
tree out1/new >files
expect files <<END
./a.gif.webp
./a.png.webp
./sub/b.png.webp
./sub/deep/c.webp.webp
END
run 1 -t 10 --to=png -o out1/png in/
tree out1/png >files
expect files <<END
./a.gif.png
./a.png.png
./sub/b.png.png
./sub/deep/c.webp.png
END
[ -z "$(tree in | grep -v -e a.png -e a.gif -e b.png -e c.webp -e bad.png \
	-e notes.txt)" ] || fail 'something was written among the images'

# Named files go into the folder itself, listed ones where the list has them.
run 0 -t 10 -o named in/a.png ./in/sub/b.png
printf '%s\n' in/a.png ./in/sub/b.png "$dir/in/sub/deep/c.webp" \
	in/../in/a.gif >list
run 0 -t 10 -o listed --files-from=list
[ -f "listed$dir/in/sub/deep/c.webp.webp" ] || fail 'an absolute name'
rm "listed$dir/in/sub/deep/c.webp.webp"
{ tree named; tree listed; } >files
expect files <<END
./a.png.webp
./b.png.webp
./a.gif.webp
./in/a.png.webp
./in/sub/b.png.webp
END

# The output in the input is not walked into, and cannot be it.
run 1 -t 10 -o in/thumbs in
run 1 -t 10 --force -o in/thumbs in
tree in/thumbs >files
[ "$(wc -l <files)" = 4 ] || fail 'thumbnails of thumbnails'
rm -r in/thumbs
run 2 -t 10 -o in in
run 2 -t 10 -o in/sub/.. in/
grep -q 'as well' err || fail 'nothing was told'

# What exists stays, but with --force; --update goes by age.
run 2 -t 10 -o out1/new in
[ "$(grep -c 'exists' err)" = 4 ] || fail "not all were refused: $(cat err)"
run 1 -t 10 --update --json -o out1/new in
[ "$(grep -c '"thumbnail":' out)" = 0 ] || fail 'what is fresh was made again'
touch -d '2001-01-01' out1/new/a.png.webp out1/new/sub/b.png.webp
rm out1/new/sub/deep/c.webp.webp
run 1 -t 10 --update --template='{path} {thumbnail}' -o out1/new in
grep -v bad out >made
expect made <<END
in/a.png out1/new/a.png.webp
in/sub/b.png out1/new/sub/b.png.webp
in/sub/deep/c.webp out1/new/sub/deep/c.webp.webp
END
cmp out1/new/a.png.webp a.webp
run 1 -t 5 --force -o out1/new in
run 0 --template='{width}' out1/new/a.png.webp
expect out <<END
5
END
run 0 -t 10 --update -o one.webp in/a.png
touch -d '2001-01-01' one.webp
run 0 -t 5 --update -o one.webp in/a.png
run 0 --template='{width}' one.webp
expect out <<END
5
END

# Two that would have the same name: the first one stays, even with --force.
mkdir x y
cp in/a.png x/i.png
cp in/sub/b.png y/i.png
for how in '' --force --update; do
	run 2 -t 10 $how -o same x/i.png y/i.png
	grep -q '^imgsniff: y/i.png: .*same/i.png.webp' err ||
		[ -z "$how" ] || fail "not told: $(cat err)"
	cmp same/i.png.webp a.webp
done
rm -r same

# An input is never overwritten, even if it has the name of a thumbnail.
cp in/a.png x/i.png.webp
cp in/a.png kept
run 2 -t 10 --force -o x x/i.png x/i.png.webp
cmp x/i.png.webp kept
tree x >files
expect files <<END
./i.png
./i.png.webp
./i.png.webp.webp
END

# Nor is one that the walk or the list comes to later: a/sub/k.webp is where the
# thumbnail of a/sub/sub/k goes if a/sub is walked, and that is reached first.
mkdir -p a/sub/sub away/sub
cp in/a.png a/sub/sub/k
cp in/a.png a/sub/k.webp
touch -d '2001-01-01' a/sub/k.webp
for how in --force --update; do
	run 2 -t 10 $how -o a a/sub
	grep -q '^imgsniff: a/sub: lies in a, where thumbnails replace' err ||
		fail "not told: $(cat err)"
	printf '%s\n' away a/sub >list
	run 2 -t 10 $how -o a --files-from=list
	"$IMGSNIFF" -t 10 $how -o a --files-from=- <list
	ln -s ../a/sub away/link
	run 0 -t 10 $how --follow -o a away
	rm away/link
	printf '%s\n' in/a.png named.d/a.png.webp >list
	mkdir -p named.d
	cp in/a.png named.d/a.png.webp
	run 2 -t 10 $how -o named.d in/a.png --files-from=list
	cmp named.d/a.png.webp kept
	cp in/a.png away/sub/x.webp
	touch -d '2001-01-01' away/sub/x.webp
	mkdir -p away/dir out2
	cp in/a.png away/dir/x
	ln -sfn ../away/sub out2/dir
	run 2 -t 10 $how -o out2 away
	grep -q 'a link leads there, out of out2' err ||
		fail "not told: $(cat err)"
	cmp away/sub/x.webp kept
	cmp a/sub/k.webp kept
	rm -r out2
done
run 0 -t 10 -o a/new a/sub
run 0 -t 10 --force -o a/new a/sub
run 2 -t 10 -o a a/sub
cmp a/sub/k.webp kept

ln in/a.png hard.webp
run 2 -t 10 --force -o hard.webp in/a.png
cmp in/a.png kept

# Never larger; the shape stays; what is in the box fits.
for size in 1000 32 31 16x100 100x7 1; do
	run 0 -t $size --to=pam -o size.pam --force "$images/png/rgb-8.png"
	python3 "$pixels" size size.pam
done >sizes
expect sizes <<END
32 24
32 24
31 23
16 12
9 7
1 1
END
run 0 --template='{width} {height}' "$images/png/rgb-8.png"
expect out <<END
32 24
END

# All eight ways a camera can be held.
for n in 1 2 3 4 5 6 7 8; do
	file=$images/jpeg/orientation-$n.jpg
	run 0 -d --force -o stored.pam "$file"
	run 0 -t 100 --to=png --force -o thumb.png "$file"
	run 0 -d --force -o thumb.pam thumb.png
	python3 "$pixels" upright stored.pam $n thumb.pam || fail "orientation $n"
done

# Frames: the first, another, or all.
file=$images/gif/loop-3.gif
run 0 -t 16 -o still.webp "$file"
run 0 -t 16 --frame=2 -o third.webp "$file"
run 0 -t 16 --all-frames -o moving.webp "$file"
run 0 --template='{width} {frames} {plays} {durations_ms}' still.webp third.webp \
	moving.webp "$file"
expect out <<END
16 1 1 0
16 1 1 0
16 4 4 100,100,110,120
32 4 4 100,100,110,120
END
cmp still.webp third.webp >/dev/null && fail 'the same frame twice'

# Records.
run 0 -t 16 --force --json -o still.webp "$file"
grep -q '"width":32,.*"durations_ms":\[100,100,110,120\].*"thumbnail":"still.webp","thumbnail_width":16,"thumbnail_height":12,"status":"ok"' out ||
	fail "an odd record: $(cat out)"
run 1 -t 16 --force -q -o none in/sub/notes.txt
expect err </dev/null
run 1 -t 16 --force -o none in/sub/notes.txt
expect err <<END
imgsniff: in/sub/notes.txt: not an image: ASCII text
END
[ ! -e none ] || fail 'a text has a thumbnail'

# A folder that cannot be made, or is a file: the others are done.
: >out1/blocked
run 2 -t 10 -o out1/blocked in
mkdir blocked
: >blocked/sub
run 2 -t 10 -o blocked in
tree blocked >files
expect files <<END
./a.gif.webp
./a.png.webp
./sub
END
