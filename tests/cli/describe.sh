#!/bin/sh
# What is no image is described, but never as the image that it is not.
. tests/cli/lib

echo 'some words' >text
: >empty
printf 'GIF88a\1\0\1\0\0\0\0' >almost.gif
printf 'RIFF\4\0\0\0WEBP' >bare.webp
printf '\377\330\0\0\0\0\0\0\0\0\0\0' >almost.jpg
printf '\211PNG\r\n\032\r\0\0\0\015IHDR\0\0\0\1\0\0\0\1' >almost.png
printf '%%PDF-1.4\n1 0 obj\n' >page

"$IMGSNIFF" text empty almost.gif page >out || [ $? = 1 ]
expect out <<END
text: not an image: ASCII text
empty: not an image: empty
almost.gif: not an image: data
page: not an image: PDF document, version 1.4
END

"$IMGSNIFF" --mime-type text empty almost.gif page >out || [ $? = 1 ]
expect out <<END
text: text/plain
empty: inode/x-empty
almost.gif: application/octet-stream
page: application/pdf
END

for f in almost.*; do
	"$IMGSNIFF" --brief --mime-type $f >out || [ $? = 1 ]
	case $(cat out) in
	image/*) fail "$f was called $(cat out)" ;;
	esac
done

# From a pipe, too.
cat page | "$IMGSNIFF" - >out || [ $? = 1 ]
expect out <<END
-: not an image: PDF document, version 1.4
END

# Without its database: by looks.
printf '\0\1\2\3' >data
MAGIC=/nonexistent "$IMGSNIFF" text data empty >out 2>err || [ $? = 1 ]
expect out <<END
text: not an image: text
data: not an image: data
empty: not an image: empty
END
! grep magic err || fail 'the missing database is nobody'\''s business'
