/*
 * written.h - what a foreign library wrote, told to MemorySanitizer
 *
 * It sees only what is compiled with it. Where a library without it says how many
 * bytes it wrote, they count as written from there on, and no byte more.
 */

#ifndef ISN_BASE_WRITTEN_H
#define ISN_BASE_WRITTEN_H

#include <stddef.h>

#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define isn_written(ptr, size)	__msan_unpoison((ptr), (size))
#define isn_written_text(ptr)	__msan_unpoison_string(ptr)
#endif
#endif

#ifndef isn_written
#define isn_written(ptr, size)	((void)(ptr), (void)(size))
#define isn_written_text(ptr)	((void)(ptr))
#endif

#endif /* ISN_BASE_WRITTEN_H */
