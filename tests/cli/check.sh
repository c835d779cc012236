#!/bin/sh
# Checking: what is told of whole, odd, cut and damaged images, and the exit status.
. tests/cli/lib

cp "$images/png/rgb-8.png" whole.png
cp "$images/png/rgb-8.png" more.png
printf 'and some text' >>more.png
cp "$images/bad/cut-in-idat.png" cut.png
cp "$images/bad/idat-bad-crc.png" damaged.png
cp "$images/bad/bomb.png" bomb.png
size=$(($(wc -c <whole.png)))
bomb=$(($(wc -c <bomb.png)))

# A verdict behind the facts; what it is about is not told twice.
run 0 -c whole.png
expect out <<END
whole.png: PNG 32x24, 8-bit RGB: intact
END
run 0 --check more.png
expect out <<END
more.png: PNG 32x24, 8-bit RGB: tolerable: end: bytes follow the image (at byte $size); 13 bytes follow, text
END
run 1 -c cut.png
expect out <<END
cut.png: PNG 32x24, 8-bit RGB: truncated: IDAT: the file ends inside it (at byte 366); 10 of 24 rows are whole
END
expect err </dev/null
run 1 -c damaged.png bomb.png
expect out <<END
damaged.png: PNG 32x24, 8-bit RGB: damaged: IDAT: the CRC is wrong (at byte 680); all rows are whole
bomb.png: PNG 60000x60000, 8-bit RGBA: unchecked: size: more pixels than max-pixels allows; see --max-pixels
END

# What is tolerable fails only if that is asked for.
run 0 -cq whole.png more.png
expect out </dev/null
run 1 -cq --strict more.png
run 0 -cq --strict whole.png
run 1 -cq cut.png
expect err </dev/null

# A frame that is not whole.
run 1 -cb "$images/bad/cut-in-frame-3.gif"
grep -q '^GIF .*: truncated: .* frames are whole$' out || fail "$(cat out)"

# What is no image, or cannot be read, has no verdict.
echo text >notes.txt
run 1 -c notes.txt nowhere
expect out <<END
notes.txt: not an image: ASCII text
END
expect err <<END
imgsniff: nowhere: cannot open: No such file or directory
END

# In a pipe too.
status=0
cat cut.png | "$IMGSNIFF" -c - >out 2>err || status=$?
[ $status = 1 ] || fail "exit status $status of a pipe"
expect out <<END
-: PNG 32x24, 8-bit RGB: truncated: IDAT: the file ends inside it (at byte 366); 10 of 24 rows are whole
END

# JSON has more keys; those of the verdict of a format that is only named, too.
printf 'BM\044\000\000\000\000\000\000\000\032\000\000\000\014\000\000\000' >a.bmp
run 1 -cJ whole.png more.png cut.png bomb.png a.bmp notes.txt
sed 's/.*"status"/"status"/' out >verdicts
expect verdicts <<END
"status":"ok","offset":null,"message":null,"integrity":"intact","frames_valid":1,"rows_valid":null,"end_offset":$size,"trailing_bytes":0,"trailer":null}
"status":"ok","offset":$size,"message":"end: bytes follow the image","integrity":"tolerable","frames_valid":1,"rows_valid":null,"end_offset":$size,"trailing_bytes":13,"trailer":"text"}
"status":"truncated","offset":366,"message":"IDAT: the file ends inside it","integrity":"truncated","frames_valid":0,"rows_valid":10,"end_offset":null,"trailing_bytes":null,"trailer":null}
"status":"limit","offset":null,"message":"size: more pixels than max-pixels allows","integrity":"unchecked","frames_valid":0,"rows_valid":null,"end_offset":$bomb,"trailing_bytes":0,"trailer":null}
"status":"unsupported","offset":null,"message":"format: detected, not decoded","integrity":"unchecked","frames_valid":0,"rows_valid":null,"end_offset":null,"trailing_bytes":null,"trailer":null}
"status":"not-image"}
END
run 0 -J whole.png
grep -q integrity out && fail 'a verdict that was not asked for'

# All faults.
cp damaged.png both.png
printf 'x' >>both.png
end=$(($(wc -c <damaged.png)))
run 1 -c --all-faults both.png
expect out <<END
both.png: PNG 32x24, 8-bit RGB: damaged: IDAT: the CRC is wrong (at byte 680); all rows are whole; 1 byte follows, text
	damaged: IDAT: the CRC is wrong (at byte 680)
	tolerable: end: bytes follow the image (at byte $end)
END
run 1 -cJ --all-faults both.png
sed 's/.*"faults"/"faults"/' out >faults
expect faults <<END
"faults":[{"integrity":"damaged","offset":680,"message":"IDAT: the CRC is wrong"},{"integrity":"tolerable","offset":$end,"message":"end: bytes follow the image"}]}
END
run 1 -c --template='{integrity} {faults}' --all-faults both.png
expect out <<END
damaged IDAT: the CRC is wrong,end: bytes follow the image
END
run 1 -c --csv cut.png
sed 's/.*,status,/status,/; s/.*,truncated,366/truncated,366/' out >table
expect table <<END
status,offset,message,integrity,frames_valid,rows_valid,end_offset,trailing_bytes,trailer
truncated,366,IDAT: the file ends inside it,truncated,0,10,,,
END

# A format that was not asked for is not checked.
run 1 -c --formats=gif whole.png
expect out <<END
whole.png: PNG: unchecked: format: not one of those in --formats
END

# What does not go together.
run 2 -c -d whole.png
run 2 -c --fast whole.png
run 2 --strict whole.png
run 2 --all-faults whole.png
run 2 -c -o x whole.png

# Of an animation that is cut, nobody knows how many frames "all" would be.
run 1 -c "$images/bad/cut-in-frame-3.gif"
grep -q '; 3 frames are whole' out || fail "not the number: $(cat out)"
