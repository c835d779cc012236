# Makefile for imgsniff (GNU make)
#
#	make                    library and program; build/imgsniff is the program
#	make check              all tests               (see tests/README.md)
#	make check MODE=asan    the same under AddressSanitizer and UBSan
#	make install PREFIX=/usr DESTDIR=stage
#
# Put local settings in .config.mk rather than here.

-include .config.mk

PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR     ?= $(PREFIX)/share/man
CC         ?= cc
AR         ?= ar
INSTALL    ?= install
PKG_CONFIG ?= pkg-config
CFLAGS     ?= -O2 -g

# The version has one home: the public header.
version = $(shell sed -n 's/^\#define IMGSNIFF_VERSION_$(1)[[:space:]]*//p' include/imgsniff.h)
MAJOR   := $(call version,MAJOR)
VERSION := $(MAJOR).$(call version,MINOR).$(call version,PATCH)

# ---- Modes: each builds in a directory of its own ---------------------------

MODE ?= release
B    := build/$(MODE)

mode_release  := -DNDEBUG
mode_debug    := -O0 -g3
mode_asan     := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
mode_coverage := -O0 --coverage
MODE_FLAGS    := $(or $(mode_$(MODE)),$(error unknown MODE '$(MODE)'))

# ---- Libraries: WITH_foo=no turns an optional one off -----------------------

# name:pkg-config module; HAVE_name is always 0 or 1
OPTIONAL := LIBJPEG:libjpeg LIBDEFLATE:libdeflate LCMS2:lcms2
REQUIRED := libwebp libwebpdemux zlib
CLI_ONLY := -lmagic

opt_name = $(firstword $(subst :, ,$(1)))
opt_pc   = $(lastword $(subst :, ,$(1)))
found    := $(foreach o,$(OPTIONAL),$(if $(filter no,$(WITH_$(call opt_name,$(o)))),,\
              $(if $(shell $(PKG_CONFIG) --exists $(call opt_pc,$(o)) && echo y),$(o))))
missing  := $(filter-out $(found),$(OPTIONAL))
MODULES  := $(REQUIRED) $(foreach o,$(found),$(call opt_pc,$(o)))

DEP_FLAGS := $(foreach o,$(found),-DHAVE_$(call opt_name,$(o))=1) \
             $(foreach o,$(missing),-DHAVE_$(call opt_name,$(o))=0) \
             $(shell $(PKG_CONFIG) --cflags $(MODULES))
DEP_LIBS  := $(shell $(PKG_CONFIG) --libs $(MODULES)) -lm

# ---- Flags and files --------------------------------------------------------

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla -Wwrite-strings \
        -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wconversion
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE $(WARN) -fvisibility=hidden -fPIC -Iinclude \
              $(DEP_FLAGS) $(CPPFLAGS) $(CFLAGS) $(MODE_FLAGS)

LIB_SRC  := $(sort $(wildcard src/base/*.c src/pixel/*.c src/meta/*.c src/codec/*/*.c src/lib/*.c))
CLI_SRC  := $(sort $(wildcard src/cli/*.c))
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))

objects   = $(patsubst %.c,$(B)/%.o,$(1))
LIB_OBJ  := $(call objects,$(LIB_SRC))
CLI_OBJ  := $(call objects,$(CLI_SRC))
UNIT     := $(patsubst tests/unit/%.c,$(B)/unit/%,$(UNIT_SRC))

SO       := libimgsniff.so
STATIC   := $(B)/libimgsniff.a
SHARED   := $(B)/$(SO).$(VERSION)
PROGRAM  := $(B)/imgsniff

# ---- Building ---------------------------------------------------------------

.DELETE_ON_ERROR:
.SECONDARY:
$(V).SILENT:

all: $(STATIC) $(SHARED) $(PROGRAM) build/imgsniff

lib: $(STATIC)

# Rebuild when the flags change, not only when the sources do.
$(B)/flags: FORCE
	mkdir -p $(@D)
	echo '$(CC) $(ALL_CFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CFLAGS)' >$@

# The library may see its own internals; the program only what users see.
$(LIB_OBJ): INCLUDES = -Isrc
$(CLI_OBJ): INCLUDES = -Isrc/cli
$(B)/tests/%.o: INCLUDES = -Isrc -Itests

$(B)/%.o: %.c $(B)/flags
	echo '  CC    $<'
	mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<

$(STATIC): $(LIB_OBJ)
	echo '  AR    $@'
	rm -f $@
	$(AR) rcs $@ $^

$(SHARED): $(LIB_OBJ)
	echo '  LD    $@'
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SO).$(MAJOR) \
		-Wl,--no-undefined -o $@ $^ $(DEP_LIBS)

$(PROGRAM): $(CLI_OBJ) $(STATIC)
	echo '  LD    $@'
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(DEP_LIBS) $(CLI_ONLY)

build/imgsniff: $(PROGRAM) FORCE
	cmp -s $< $@ || { rm -f $@; cp $< $@; }

# ---- Testing ----------------------------------------------------------------

$(B)/unit/%: $(B)/tests/unit/%.o $(STATIC)
	echo '  LD    $@'
	mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(DEP_LIBS) \
		$(shell $(PKG_CONFIG) --libs cmocka)

check: check-unit
check-unit: $(UNIT)
	set -e; for t in $^; do ./$$t; done

clean:
	rm -rf build

-include $(wildcard $(B)/src/*/*.d $(B)/src/codec/*/*.d $(B)/tests/*/*.d)

FORCE:
.PHONY: all lib check check-unit clean FORCE
