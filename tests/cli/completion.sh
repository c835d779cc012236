#!/bin/sh
# The completions of shells name every option, and the shells can read them.
. tests/cli/lib

run 0 --help
grep -oE -- '--[a-z][a-z0-9-]*' out | sort -u >options

for shell in bash zsh fish; do
	run 0 --completion=$shell
	mv out $shell.script
	sed 's/^--//' options | while read -r option; do
		grep -qE -- "(--|-l )$option([^a-z-]|\$)" $shell.script ||
			echo "$shell: no $option"
	done >missing
	expect missing </dev/null
	command -v $shell >/dev/null || continue
	$shell -n $shell.script || fail "$shell cannot read it"
done
run 2 --completion=csh

command -v bash >/dev/null || exit 0
cat >try.bash <<'END'
. ./bash.script
try()
{
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_imgsniff
	echo "${COMPREPLY[*]}"
}
try imgsniff --js
try imgsniff --to = p
try imgsniff --color =
try imgsniff -d --to r
try imgsniff a
END
bash try.bash >replies
expect replies <<END
--json
pam ppm png
auto always never
raw

END
