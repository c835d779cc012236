# Makefile for imgsniff (GNU make)
#
#	make                    library and program; build/imgsniff is the program
#	make demo               build, then look at the images in test-images/
#	make check              all tests               (see tests/README.md)
#	make check MODE=asan    the same under AddressSanitizer and UBSan
#	make check-msan         all images, and cuts of them, under MemorySanitizer
#	make check-tsan         threads with a decoder each, under ThreadSanitizer
#	make coverage           the lines that the tests run; 90 of 100 are asked for
#	make check-valgrind     all images under valgrind
#	make check-corpus       compare with the reference corpus, where there is one
#	make lint bench fuzz    static analysis; speed; libFuzzer (FUZZ_SECONDS each)
#	make deps               install every package that any of this needs
#	make install PREFIX=/usr DESTDIR=stage          and: uninstall, dist, clean
#
# MODE=release|debug|asan|msan|tsan|coverage; WITH_LIBJPEG=no and its like build without an
# optional library. Put local settings in .config.mk rather than here.

-include .config.mk

PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR    ?= $(PREFIX)/share
MANDIR     ?= $(DATADIR)/man
CC         ?= cc
CXX        ?= c++
AR         ?= ar
NM         ?= nm
INSTALL    ?= install
PKG_CONFIG ?= pkg-config
CFLAGS     ?= -O2 -g
FUZZ_SECONDS ?= 60

# The version has one home: the public header.
version = $(shell sed -n 's/^\#define IMGSNIFF_VERSION_$(1)[[:space:]]*//p' include/imgsniff.h)
MAJOR   := $(call version,MAJOR)
VERSION := $(MAJOR).$(call version,MINOR).$(call version,PATCH)

# ---- Modes: each builds in a directory of its own ---------------------------

MODE ?= release
B    := build/$(MODE)

sanitizers    := -fsanitize=address,undefined -fno-sanitize-recover=all \
                 -fno-omit-frame-pointer
mode_release  := -DNDEBUG
mode_debug    := -O0 -g3
mode_asan     := -O1 $(sanitizers)
mode_msan     := -O1 -fsanitize=memory -fsanitize-memory-track-origins \
                 -fno-omit-frame-pointer
mode_tsan     := -O1 -fsanitize=thread -fno-omit-frame-pointer
mode_coverage := -O0 --coverage
mode_fuzz     := -O1 $(sanitizers) -fsanitize=fuzzer-no-link
MODE_FLAGS    := $(or $(mode_$(MODE)),$(error unknown MODE '$(MODE)'))

# A shared library names all it needs; clang's sanitizers live in the program.
NO_UNDEFINED  := $(if $(filter asan fuzz msan,$(MODE)),,-Wl,--no-undefined)

# ---- Libraries: WITH_foo=no turns an optional one off -----------------------

# name:pkg-config module; HAVE_name is always 0 or 1
OPTIONAL := LIBJPEG:libjpeg LIBDEFLATE:libdeflate LCMS2:lcms2 \
            SECCOMP:libseccomp
REQUIRED := libwebp zlib
# Headers alone; what only the program links; what tests compare with.
HEADERS  := stb
CLI_ONLY := libmagic libwebpmux
TEST_ONLY := cmocka libwebpdemux

pkg       = $(shell $(PKG_CONFIG) $(1) 2>/dev/null)
opt_name  = $(firstword $(subst :, ,$(1)))
opt_pc    = $(lastword $(subst :, ,$(1)))
found    := $(foreach o,$(OPTIONAL),$(if $(filter no,$(WITH_$(call opt_name,$(o)))),,\
              $(if $(shell $(PKG_CONFIG) --exists $(call opt_pc,$(o)) 2>/dev/null && echo y),$(o))))
missing  := $(filter-out $(found),$(OPTIONAL))
MODULES  := $(REQUIRED) $(foreach o,$(found),$(call opt_pc,$(o)))
absent   := $(strip $(foreach m,$(REQUIRED) $(HEADERS) $(CLI_ONLY),\
              $(if $(shell $(PKG_CONFIG) --exists $(m) 2>/dev/null && echo y),,$(m))))

DEP_FLAGS := $(foreach o,$(found),-DHAVE_$(call opt_name,$(o))=1) \
             $(foreach o,$(missing),-DHAVE_$(call opt_name,$(o))=0) \
             $(patsubst -I%,-isystem%,$(call pkg,--cflags $(MODULES) $(HEADERS)))
# stb_image tells its version only in its first line.
stb_image := $(filter %/stb_image.h,$(shell $(CC) $(call pkg,--cflags stb) -M \
               -include stb_image.h -x c /dev/null 2>/dev/null))
DEP_FLAGS += -DSTB_IMAGE_VERSION=$(or $(if $(stb_image),$(shell \
               sed -n '1s/.* - v\([0-9.]*\) .*/\1/p' $(stb_image))),unknown)
DEP_LIBS  := $(call pkg,--libs $(MODULES)) -lm
CLI_LIBS  := $(call pkg,--libs $(CLI_ONLY))
TEST_LIBS := $(call pkg,--libs $(TEST_ONLY))

# ---- Flags and files --------------------------------------------------------

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla -Wwrite-strings \
        -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wconversion \
        $(if $(filter true,$(CI)),-Werror)
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE $(WARN) -fvisibility=hidden -fPIC -Iinclude \
              $(DEP_FLAGS) $(CPPFLAGS) $(CFLAGS) $(MODE_FLAGS)

LIB_SRC  := $(sort $(wildcard src/base/*.c src/pixel/*.c src/meta/*.c src/codec/*/*.c src/lib/*.c src/lib/*/*.c))
CLI_SRC  := $(sort $(wildcard src/cli/*.c))

objects   = $(patsubst %.c,$(B)/%.o,$(1))
programs  = $(patsubst %.c,$(B)/%,$(sort $(wildcard $(1))))
LIB_OBJ  := $(call objects,$(LIB_SRC))
CLI_OBJ  := $(call objects,$(CLI_SRC))
UNIT     := $(call programs,tests/unit/test_*.c)
PROPERTY := $(call programs,tests/property/*.c)
FUZZ     := $(call programs,tests/fuzz/fuzz_*.c)
PIXELS   := $(B)/tests/golden/pixels
BENCH    := $(B)/tests/bench/bench

SO       := libimgsniff.so
STATIC   := $(B)/libimgsniff.a
SHARED   := $(B)/$(SO).$(VERSION)
PROGRAM  := $(B)/imgsniff
CLI_PARTS := $(B)/libcli.a

# ---- Building ---------------------------------------------------------------

.DELETE_ON_ERROR:
.SECONDARY:
$(V).SILENT:

all: $(STATIC) $(SHARED) $(PROGRAM) build/imgsniff

lib: $(STATIC)

# Rebuild when the flags or the list of sources change, not only a source.
stamp = mkdir -p $(@D); echo '$(1)' | cmp -s - $@ || echo '$(1)' >$@

$(B)/flags: FORCE
	$(if $(absent),echo 'not found by pkg-config: $(absent); try "make deps"' >&2; exit 1)
	$(call stamp,$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(DEP_LIBS) $(CLI_LIBS))
$(B)/lib-sources: FORCE
	$(call stamp,$(LIB_SRC))
$(B)/cli-sources: FORCE
	$(call stamp,$(CLI_SRC))

# The library may see its own internals; the program only what users see.
$(LIB_OBJ): INCLUDES = -Isrc
# stb_image counts on integers that wrap; UBSan would stop at each one.
$(B)/src/codec/stb/stb.o: INCLUDES = -Isrc -fwrapv -fno-sanitize=undefined
# Where -O3 pays: 5 % of a thumbnail of a large JPEG.
$(B)/src/codec/jpeg/dc.o: INCLUDES = -Isrc $(if $(filter release,$(MODE)),-O3)
$(CLI_OBJ): INCLUDES = -Isrc/cli
$(B)/tests/%.o: INCLUDES = -Isrc -Itests

$(B)/%.o: %.c $(B)/flags
	echo '  CC    $<'
	mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<

$(STATIC): $(LIB_OBJ) $(B)/lib-sources
	echo '  AR    $@'
	rm -f $@
	$(AR) rcs $@ $(LIB_OBJ)

$(SHARED): $(LIB_OBJ) $(B)/lib-sources
	echo '  LD    $@'
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SO).$(MAJOR) \
		$(NO_UNDEFINED) -o $@ $(LIB_OBJ) $(DEP_LIBS)

$(PROGRAM): $(CLI_OBJ) $(STATIC) $(B)/cli-sources
	echo '  LD    $@'
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(CLI_OBJ) $(STATIC) $(DEP_LIBS) \
		$(CLI_LIBS)

build/imgsniff: $(PROGRAM) FORCE
	cmp -s $< $@ || { rm -f $@; cp $< $@; }

# ---- Testing ----------------------------------------------------------------

# Installs what is missing first; that may be pkg-config, so make starts again.
check:
	sh .ci/deps build check
	+$(MAKE) --no-print-directory check-all

demo:
	sh .ci/deps build
	+$(MAKE) --no-print-directory all
	sh .ci/demo build/imgsniff

link_test = echo '  LD    $@'; mkdir -p $(@D); \
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(1) -o $@ $(filter %.o %.a,$^) $(DEP_LIBS)

# The program's parts without its main(), so that unit tests can call them.
$(CLI_PARTS): $(filter-out %/main.o,$(CLI_OBJ)) $(B)/cli-sources
	echo '  AR    $@'
	rm -f $@
	$(AR) rcs $@ $(filter %.o,$^)

$(UNIT) $(PROPERTY): $(B)/%: $(B)/%.o $(CLI_PARTS) $(STATIC)
	$(call link_test) $(CLI_LIBS) $(TEST_LIBS) -pthread

# A fuzz target is a test too: without libFuzzer, replay.c feeds it files.
REPLAY := $(if $(filter fuzz,$(MODE)),,$(B)/tests/fuzz/replay.o)
$(FUZZ): $(B)/%: $(B)/%.o $(REPLAY) $(CLI_PARTS) $(STATIC)
	$(call link_test,$(if $(REPLAY),,-fsanitize=fuzzer) $(FUZZ_FLAGS)) $(CLI_LIBS)
$(B)/tests/fuzz/fuzz_options: FUZZ_FLAGS = -Wl,--wrap=exit -Wl,--wrap=fclose

$(PIXELS): $(B)/%: $(B)/%.o $(STATIC)
	$(call link_test)

# One program; the program's own output buffer is among what it measures.
BENCH_OBJ := $(call objects,$(sort $(wildcard tests/bench/*.c)) src/cli/output.c)
$(BENCH_OBJ): INCLUDES = -Isrc/cli
$(B)/tests/bench/decode_fit.o: INCLUDES = -Isrc
$(BENCH): $(BENCH_OBJ) $(STATIC)
	$(call link_test) $(call pkg,--libs libwebpdemux $(call peer_pc,$(peers_found))) -pthread

# What it compares with, where it is installed: name:pkg-config module.
PEERS         := LIBPNG:libpng LIBSPNG:spng GIFLIB:libgif
peer_pc        = $(foreach p,$(1),$(call opt_pc,$(p)))
peers_found   := $(if $(filter bench-run bench-instructions,$(MAKECMDGOALS)),$(foreach p,$(PEERS),\
                   $(if $(shell $(PKG_CONFIG) --exists $(call opt_pc,$(p)) && echo y),$(p))))
peers_missing := $(filter-out $(peers_found),$(PEERS))
PEER_FLAGS    := $(foreach p,$(peers_found),-DHAVE_$(call opt_name,$(p))=1) \
                 $(foreach p,$(peers_missing),-DHAVE_$(call opt_name,$(p))=0) \
                 $(call pkg,--cflags $(call peer_pc,$(peers_found)))

$(B)/peers: FORCE
	$(call stamp,$(PEER_FLAGS))
$(filter %/peers_png.o %/peers_gif.o,$(BENCH_OBJ)): INCLUDES += $(PEER_FLAGS)
$(filter %/peers_png.o %/peers_gif.o,$(BENCH_OBJ)): $(B)/peers
$(BENCH): $(B)/peers

# What users get: installed, for the tests that build against it.
$(B)/stage: all FORCE
	rm -rf $@
	+$(MAKE) --no-print-directory install DESTDIR= PREFIX=$(CURDIR)/$@ >/dev/null

LINT_TESTS := $(sort $(wildcard tests/lint/*.sh))
CLI_TESTS  := $(sort $(wildcard tests/cli/*.sh))
GOLDEN     := tests/golden/facts.sh tests/golden/pixels.sh

TEST_ENV = B='$(B)' MODE='$(MODE)' IMGSNIFF='$(CURDIR)/build/imgsniff' \
	STATIC='$(STATIC)' SHARED='$(SHARED)' STAGE='$(CURDIR)/$(B)/stage' \
	VERSION='$(VERSION)' CC='$(CC)' CXX='$(CXX)' NM='$(NM)' \
	PKG_CONFIG='$(PKG_CONFIG)' MAKE='$(MAKE)' DEP_FLAGS='$(DEP_FLAGS)' \
	DEP_LIBS='$(DEP_LIBS)' \
	USER_FLAGS='$(CFLAGS) $(MODE_FLAGS) $(LDFLAGS)'

check-all: all $(UNIT) $(PROPERTY) $(FUZZ) $(PIXELS) $(B)/stage
	+$(TEST_ENV) sh tests/run.sh $(B)/log $(UNIT) $(PROPERTY) $(FUZZ) \
		$(CLI_TESTS) $(GOLDEN) $(LINT_TESTS)

# The program alone.
check-cli: all
	+$(TEST_ENV) sh tests/run.sh $(B)/log-cli $(CLI_TESTS)

check-corpus: all
	sh .ci/deps check
	$(TEST_ENV) python3 tests/check-corpus

# Bytes that nobody wrote. MemorySanitizer wants all code to be compiled for it, so
# JPEGs are left to stb_image; what zlib, libdeflate and libwebp write is told to it.
CUTS ?= 12

check-msan:
	sh .ci/deps build check lint
	+$(MAKE) --no-print-directory MODE=msan CC=clang WITH_LIBJPEG=no \
		WITH_LCMS2=no check-replay

# The writers' output comes from libraries that cannot tell it.
REPLAYED = $(filter-out %/fuzz_write %/fuzz_options,$(FUZZ))

check-replay: $(REPLAYED)
	set -e; for target in $(REPLAYED); do \
		echo "  RUN   $$target"; \
		REPLAY_CUTS=$(CUTS) ./$$target test-images >$(B)/replay.log 2>&1 || \
			{ tail -n 40 $(B)/replay.log; exit 1; }; \
	done

# What two threads share. The libraries below are taken to be sound.
check-tsan:
	+$(MAKE) --no-print-directory MODE=tsan check-threads

check-threads: $(B)/tests/property/threads
	./$<

# The same, with leaks, and every frame of every image.
VALGRIND := valgrind -q --error-exitcode=9 --leak-check=full \
	--errors-for-leak-kinds=definite,possible

check-valgrind: $(FUZZ) $(PIXELS)
	sh .ci/deps check
	set -e; for target in $(FUZZ); do \
		echo "  RUN   $$target"; \
		REPLAY_CUTS=2 $(VALGRIND) ./$$target test-images \
			>$(B)/replay.log 2>&1 || \
			{ tail -n 40 $(B)/replay.log; exit 1; }; \
	done
	echo '  RUN   $(PIXELS)'
	$(VALGRIND) ./$(PIXELS) $$(find test-images -type f -name '*.*g*' ! -path \
		'test-images/make/*') >$(B)/replay.log

# Which lines of the library the tests run. Sandboxed workers leave no figures.
coverage:
	+$(MAKE) --no-print-directory MODE=coverage CFLAGS=-g coverage-run

coverage-run:
	find $(B) -name '*.gcda' -delete
	+$(MAKE) --no-print-directory MODE=coverage check
	python3 tests/coverage $(B) 90

# Renews the stored facts and pixel hashes: look at the difference first.
golden: all $(PIXELS)
	$(TEST_ENV) sh tests/golden/renew.sh

# Makes the test images anew; they are kept in the repository.
images:
	python3 test-images/make

# BENCH_ARGS="--quick peek" and so on: see tests/bench/main.c.
bench:
	sh .ci/deps build
	sh .ci/deps bench || echo 'measuring without them' >&2
	+$(MAKE) --no-print-directory bench-run

bench-run: all $(BENCH)
	$(if $(peers_missing),echo 'not compared with: $(call peer_pc,$(peers_missing))')
	./$(BENCH) $(BENCH_ARGS)

# Steadier than time, and slow: what a decode takes over the bare library.
bench-instructions: all $(BENCH)
	sh tests/bench/instructions.sh $(BENCH)

fuzz:
	+$(MAKE) --no-print-directory MODE=fuzz CC=clang fuzz-run

fuzz-run: $(FUZZ)
	$(TEST_ENV) sh tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ)

lint:
	sh .ci/deps build check lint
	+$(MAKE) --no-print-directory lint-all

lint-all:
	CC='$(CC)' FLAGS='$(filter-out -W%,$(ALL_CFLAGS))' sh tests/lint/analyse \
		$(LIB_SRC) $(CLI_SRC)

# ---- Installing -------------------------------------------------------------

deps:
	sh .ci/deps build check lint

D := $(DESTDIR)

INSTALLED = $(BINDIR)/imgsniff $(INCLUDEDIR)/imgsniff.h \
	$(LIBDIR)/libimgsniff.a $(LIBDIR)/$(SO).$(VERSION) \
	$(LIBDIR)/$(SO).$(MAJOR) $(LIBDIR)/$(SO) $(LIBDIR)/pkgconfig/imgsniff.pc \
	$(patsubst man/%,$(MANDIR)/man1/%,$(wildcard man/*.1)) \
	$(patsubst man/%,$(MANDIR)/man3/%,$(wildcard man/*.3)) \
	$(COMPLETIONS)

# Written by the program itself, from its table of options.
COMPLETIONS = $(DATADIR)/bash-completion/completions/imgsniff \
	$(DATADIR)/zsh/site-functions/_imgsniff \
	$(DATADIR)/fish/vendor_completions.d/imgsniff.fish

# Paths below PREFIX stay relative to it, so that the .pc file can be moved.
pc_path = $(patsubst $(PREFIX)/%,$${prefix}/%,$(1))

install: all
	$(INSTALL) -d '$(D)$(BINDIR)' '$(D)$(INCLUDEDIR)' '$(D)$(LIBDIR)/pkgconfig'
	$(INSTALL) -m 755 $(PROGRAM) '$(D)$(BINDIR)'
	$(INSTALL) -m 644 include/imgsniff.h '$(D)$(INCLUDEDIR)'
	$(INSTALL) -m 644 $(STATIC) '$(D)$(LIBDIR)'
	$(INSTALL) -m 755 $(SHARED) '$(D)$(LIBDIR)'
	ln -sf $(SO).$(VERSION) '$(D)$(LIBDIR)/$(SO).$(MAJOR)'
	ln -sf $(SO).$(MAJOR) '$(D)$(LIBDIR)/$(SO)'
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(call pc_path,$(LIBDIR))|' \
	    -e 's|@INCLUDEDIR@|$(call pc_path,$(INCLUDEDIR))|' \
	    -e 's|@VERSION@|$(VERSION)|' -e 's|@MODULES@|$(MODULES)|' \
	    src/imgsniff.pc.in >'$(D)$(LIBDIR)/pkgconfig/imgsniff.pc'
	chmod 644 '$(D)$(LIBDIR)/pkgconfig/imgsniff.pc'
	set -e; for page in $(wildcard man/*.[13]); do \
		dir='$(D)$(MANDIR)'/man$${page##*.}; \
		$(INSTALL) -d "$$dir"; $(INSTALL) -m 644 $$page "$$dir"; \
	done
	set -e; for file in $(COMPLETIONS); do \
		case $$file in \
		*/bash-completion/*) shell=bash ;; \
		*/zsh/*) shell=zsh ;; \
		*) shell=fish ;; \
		esac; \
		$(INSTALL) -d "$(D)$${file%/*}"; \
		$(PROGRAM) --completion=$$shell >"$(D)$$file"; \
		chmod 644 "$(D)$$file"; \
	done

uninstall:
	rm -f $(addprefix $(D),$(INSTALLED))

# The same commit gives the same bytes.
dist:
	mkdir -p build
	git archive --format=tar --prefix=imgsniff-$(VERSION)/ HEAD | \
		gzip -9n >build/imgsniff-$(VERSION).tar.gz
	echo build/imgsniff-$(VERSION).tar.gz

clean:
	rm -rf build

-include $(wildcard $(B)/src/*/*.d $(B)/src/*/*/*.d $(B)/tests/*/*.d)

FORCE:
.PHONY: all lib demo check check-all check-cli check-corpus check-msan check-tsan check-threads coverage coverage-run check-replay check-valgrind golden images bench bench-run \
	bench-instructions fuzz fuzz-run lint lint-all deps install uninstall dist clean FORCE
