#!/bin/sh
# CSV and TSV hold the same facts, whatever is in a name.
. tests/cli/lib

image=$images/gif/animated-opaque.gif
tab=$(printf '\t')
nl='
'
cp "$image" a.gif
cp "$image" "x,\"y\"${nl}z.gif"
cp "$image" "t${tab}t.gif"
echo text >n

run 1 --csv a.gif "x,\"y\"${nl}z.gif" n nowhere
expect out <<END
path,path_b64,member,size,format,mime,description,extension_ok,width,height,display_width,display_height,orientation,bit_depth,color_type,has_alpha,compression,interlaced,progressive,animated,frames,loop,plays,duration_ms,durations_ms,display_durations_ms,icc_bytes,exif_bytes,xmp_bytes,status,offset,message
a.gif,,,423,gif,image/gif,,true,32,24,32,24,,8,palette,false,lossless,false,false,true,4,0,0,430,100;100;110;120,100;100;110;120,0,0,0,ok,,
"x,""y""
z.gif",,,423,gif,image/gif,,true,32,24,32,24,,8,palette,false,lossless,false,false,true,4,0,0,430,100;100;110;120,100;100;110;120,0,0,0,ok,,
n,,,5,,text/plain,ASCII text,,,,,,,,,,,,,,,,,,,,,,,not-image,,
nowhere,,,,,,,,,,,,,,,,,,,,,,,,,,,,,io,,cannot open: No such file or directory
END

run 0 --tsv "x,\"y\"${nl}z.gif" "t${tab}t.gif"
cut -f1-6 out >start
expect start <<END
path${tab}path_b64${tab}member${tab}size${tab}format${tab}mime
x,"y"\\nz.gif${tab}${tab}${tab}423${tab}gif${tab}image/gif
t\\tt.gif${tab}${tab}${tab}423${tab}gif${tab}image/gif
END

# Every line has as many fields as the header, whatever the file is.
"$IMGSNIFF" --tsv --all "$images" nowhere >all 2>err || :
awk -F '\t' 'NR == 1 { n = NF } NF != n { print; bad = 1 } END { exit bad || NR < 100 }' all ||
	fail 'a line has other fields'

# The last style counts; so an alias can be overruled.
run 0 --json --csv --brief --mime-type a.gif
expect out <<END
image/gif
END

command -v python3 >/dev/null || exit 0
"$IMGSNIFF" --csv --all "$images" "x,\"y\"${nl}z.gif" nowhere >all 2>err || :
"$IMGSNIFF" --json --all "$images" "x,\"y\"${nl}z.gif" nowhere >all.json 2>err || :
python3 - <<'END' || fail 'CSV and JSON do not say the same'
import csv, json

def text(v):
    if v is None:
        return ""
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, list):
        return ";".join(text(x) for x in v)
    return str(v)

rows = list(csv.DictReader(open("all", newline="", encoding="utf-8")))
records = [json.loads(line) for line in open("all.json", encoding="utf-8")]
assert len(rows) == len(records) > 100
for row, record in zip(rows, records):
    for key, value in row.items():
        assert value == text(record.get(key)), (row, key)
END
