#!/bin/sh
# Names and texts that would do something to a terminal are written so that they
# do not, and can be told back; with --print0 they are as they are.
. tests/cli/lib

name=$(printf 'a\033[2J\\ \342\200\256gpj.\377')
cp "$images/gif/one-pixel.gif" "$name"

run 0 "$name"
expect out <<'END'
a\x1b[2J\\ \u202egpj.\xff: GIF 1x1, palette
END
run 0 --mime-type "$name"
expect out <<'END'
a\x1b[2J\\ \u202egpj.\xff: image/gif
END
run 0 --template='{path}\t{width}' "$name"
printf 'a\\x1b[2J\\\\ \\u202egpj.\\xff\t1\n' | expect out

run 0 -Z "$name"
printf '%s: GIF 1x1, palette\0' "$name" | expect out
run 0 -Z --template='{path}' "$name"
printf '%s\0' "$name" | expect out
run 0 -Z --csv "$name"
tr '\0' '\n' <out | sed -n 2p | cut -d, -f1 >column
printf '%s\n' "$name" | expect column
run 0 -Z --tsv "$name"
tr '\0' '\n' <out | sed -n 2p | cut -f1 >column
printf '%s\n' "$name" | expect column

# On standard error, always; also what was given as an option's value.
run 1 -Z "no$name"
expect err <<'END'
imgsniff: noa\x1b[2J\\ \u202egpj.\xff: cannot open: No such file or directory
END
run 2 --to="$name" -d x
expect err <<'END'
imgsniff: --to: 'a\x1b[2J\ \u202egpj.\xff' is none of pam, ppm, png, jpeg, jpg, webp, raw
END

# What libmagic quotes from a file comes from nobody we trust.
printf '#!/bin/\033[31mred\n' >script
run 1 script
grep -q "$(printf '\033')" out && fail 'an escape sequence got through'
[ -s out ]
