#!/bin/sh
# A C and a C++ program build against the installed files by pkg-config alone,
# with the shared and with the static library, and run; uninstall leaves nothing.
set -eu

dir=$B/consumers
rm -rf "$dir"
mkdir -p "$dir"
export PKG_CONFIG_PATH="$STAGE/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
image=test-images/png/rgba-8.png

flags=$($PKG_CONFIG --cflags imgsniff)
shared=$($PKG_CONFIG --libs imgsniff)
# The static library by its name, then what it needs.
static="$STAGE/lib/libimgsniff.a $($PKG_CONFIG --static --libs imgsniff |
	sed 's/-limgsniff\>//')"

case " $shared " in
*' -ljpeg '* | *' -lwebp '*)
	echo "a user of the shared library must not link what it uses: $shared"
	exit 1 ;;
esac

$CC  -std=c99   $flags $USER_FLAGS -o "$dir/c-shared"   tests/consumers/user.c  $shared
$CC  -std=c99   $flags $USER_FLAGS -o "$dir/c-static"   tests/consumers/user.c  $static
$CXX -std=c++11 $flags $USER_FLAGS -o "$dir/cxx-shared" tests/consumers/user.cc $shared
$CXX -std=c++11 $flags $USER_FLAGS -o "$dir/cxx-static" tests/consumers/user.cc $static

for program in c-shared c-static cxx-shared cxx-static; do
	echo "$program"
	case $program in
	*-shared) LD_LIBRARY_PATH=$STAGE/lib "$dir/$program" "$image" "$VERSION" ;;
	*)	  "$dir/$program" "$image" "$VERSION" ;;
	esac >"$dir/$program.out"
	[ "$(cat "$dir/$program.out")" = 'png 32x24' ]
done

# The soname is what a program asks for, and it is there as a link.
soname=$(ldd "$dir/c-shared" 2>/dev/null | grep -o 'libimgsniff\.so\.[0-9]*' | head -n 1)
[ "$soname" = "libimgsniff.so.${VERSION%%.*}" ]
[ -L "$STAGE/lib/$soname" ]

"$STAGE/bin/imgsniff" --version >/dev/null

# DESTDIR is where the files go, and appears in none of them.
root=$PWD/$dir/root
$MAKE --no-print-directory install DESTDIR="$root" PREFIX=/usr >/dev/null
grep -q '^prefix=/usr$' "$root/usr/lib/pkgconfig/imgsniff.pc"
[ -e "$root/usr/share/man/man1/imgsniff.1" ]
[ -e "$root/usr/share/man/man3/imgsniff.3" ]
! grep -rl "$root" "$root/usr/lib/pkgconfig"
$MAKE --no-print-directory uninstall DESTDIR="$root" PREFIX=/usr >/dev/null
left=$(find "$root" ! -type d)
[ -z "$left" ] || { echo "uninstall left: $left"; exit 1; }
