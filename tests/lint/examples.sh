#!/bin/sh
# The examples of both manuals do what the manuals say they do.
set -eu

CC="$CC $USER_FLAGS" exec python3 tests/manual/run "$IMGSNIFF" "$STATIC" "$DEP_LIBS"
