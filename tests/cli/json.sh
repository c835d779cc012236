#!/bin/sh
# Records in JSON: their keys, their order, and what is null.
. tests/cli/lib

image=$images/gif/animated-opaque.gif
cp "$image" anim.gif
cp "$images/gif/one-pixel.gif" still.jpg
echo text >notes.txt
printf 'BM\044\000\000\000\000\000\000\000\032\000\000\000\014\000\000\000' >a.bmp

run 1 --json anim.gif still.jpg notes.txt a.bmp nowhere
expect out <<END
{"path":"anim.gif","member":null,"size":423,"format":"gif","mime":"image/gif","extension_ok":true,"width":32,"height":24,"display_width":32,"display_height":24,"orientation":null,"bit_depth":8,"color_type":"palette","has_alpha":false,"compression":"lossless","interlaced":false,"progressive":false,"animated":true,"frames":4,"loop":0,"plays":0,"duration_ms":430,"durations_ms":[100,100,110,120],"display_durations_ms":[100,100,110,120],"icc_bytes":0,"exif_bytes":0,"xmp_bytes":0,"status":"ok","offset":null,"message":null}
{"path":"still.jpg","member":null,"size":77,"format":"gif","mime":"image/gif","extension_ok":false,"width":1,"height":1,"display_width":1,"display_height":1,"orientation":null,"bit_depth":8,"color_type":"palette","has_alpha":false,"compression":"lossless","interlaced":false,"progressive":false,"animated":false,"frames":1,"loop":null,"plays":1,"duration_ms":0,"durations_ms":[0],"display_durations_ms":[0],"icc_bytes":0,"exif_bytes":0,"xmp_bytes":0,"status":"ok","offset":null,"message":null}
{"path":"notes.txt","size":5,"format":null,"mime":"text/plain","description":"ASCII text","status":"not-image"}
{"path":"a.bmp","member":null,"size":18,"format":"bmp","mime":"image/bmp","extension_ok":true,"width":null,"height":null,"display_width":null,"display_height":null,"orientation":null,"bit_depth":null,"color_type":null,"has_alpha":null,"compression":null,"interlaced":null,"progressive":null,"animated":null,"frames":null,"loop":null,"plays":null,"duration_ms":null,"durations_ms":null,"display_durations_ms":null,"icc_bytes":null,"exif_bytes":null,"xmp_bytes":null,"status":"unsupported","offset":null,"message":"format: detected, not decoded"}
{"path":"nowhere","format":null,"status":"io","message":"cannot open: No such file or directory"}
END

# Browsers show short durations longer.
run 0 --json "$images/gif/delay-0.gif"
grep -q '"durations_ms":\[[0-9]*,0,' out || grep -q '"durations_ms":\[0,' out ||
	fail 'no duration of 0'
grep -q '"display_durations_ms":\[[0-9,]*100[],]' out || fail 'not shown as 100'
grep -q '"display_durations_ms":.*[[,]0[],]' out && fail 'shown as 0'

# The size of a pipe is not known, and its name has no extension.
"$IMGSNIFF" --json - <"$image" >file
"$IMGSNIFF" --json - <<END >pipe || :
text
END
cat "$image" | "$IMGSNIFF" --json - >pipe
grep -q '^{"path":"-","member":null,"size":423,' file || fail 'no size of a file'
grep -q '^{"path":"-","member":null,"size":null,"format":"gif","mime":"image/gif","extension_ok":null,"width":32,' pipe ||
	fail "a pipe is told as $(cat pipe)"

# A cut file: what was read is told.
head -c 200 "$image" >cut.gif
run 1 --json cut.gif
grep -q '"width":32,.*"status":"truncated","offset":200,"message":"' out ||
	fail "cut: $(cat out)"

# A name that is no UTF-8 is told twice.
bad=$(printf 'caf\351 "x".gif')
cp "$image" "$bad"
run 0 --json "$bad"
cut -d, -f1-3 out >start
printf '{"path":"caf\357\277\275 \\"x\\".gif","path_b64":"Y2Fm6SAieCIuZ2lm","member":null\n' |
	expect start

# With --fast, what stands behind the head of a file is not known.
run 0 --json --fast "$images/webp/animated-lossless.webp"
grep -q '"durations_ms":null' out || fail "fast: $(cat out)"

# Records end in NUL if asked to.
run 0 --json -Z anim.gif anim.gif
[ "$(tr -cd '\0' <out | wc -c)" = 2 ] || fail 'no two NULs'
[ "$(tr -cd '\n' <out | wc -c)" = 0 ] || fail 'a newline'

command -v python3 >/dev/null || exit 0
"$IMGSNIFF" --json --all "$images" "$bad" nowhere >all 2>err || :
python3 - all <<'END' || fail 'python3 does not agree'
import json, sys

IMAGE = """path member size format mime extension_ok width height display_width
display_height orientation bit_depth color_type has_alpha compression interlaced
progressive animated frames loop plays duration_ms durations_ms
display_durations_ms icc_bytes exif_bytes xmp_bytes status offset
message""".split()
OTHER = "path size format mime description status".split()
UNREADABLE = "path format status message".split()
count = 0
for line in open(sys.argv[1], "rb"):
    r = json.loads(line.decode("utf-8"))
    keys = [k for k in r if k != "path_b64"]
    if r["status"] == "not-image":
        assert keys == OTHER, line
    elif "mime" in r:
        assert keys == IMAGE, line
    else:
        assert keys == UNREADABLE, line
    assert (r["status"] == "ok") == (r.get("message") is None) or keys == OTHER, line
    if r.get("frames") and r.get("durations_ms") is not None and r["status"] == "ok":
        assert len(r["durations_ms"]) == r["frames"], line
        assert abs(sum(r["durations_ms"]) - r["duration_ms"]) < 0.01, line
    count += 1
assert count > 100, count
END
