#!/bin/sh
# The public header compiles by itself, twice over, without a warning, as any C
# or C++ that has the types it uses.
set -eu

dir=$B/headers
mkdir -p "$dir"
printf '#include <imgsniff.h>\n#include <imgsniff.h>\n' >"$dir/user.c"
cp "$dir/user.c" "$dir/user.cc"

warnings='-Wall -Wextra -Wpedantic -Wshadow -Wundef -Wconversion -Werror'
for cc in "$CC" gcc clang; do
	command -v "${cc%% *}" >/dev/null || continue
	for std in c99 c11 c17; do
		echo "$cc $std"
		$cc -std=$std $warnings -Wstrict-prototypes -Iinclude \
			-fsyntax-only "$dir/user.c"
	done
done
for cxx in "$CXX" g++ clang++; do
	command -v "${cxx%% *}" >/dev/null || continue
	for std in c++11 c++17 c++20; do
		echo "$cxx $std"
		$cxx -std=$std $warnings -Iinclude \
			-fsyntax-only "$dir/user.cc"
	done
done
