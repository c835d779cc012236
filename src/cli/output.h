/*
 * output.h - standard output through one buffer, every flush checked
 */

#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * 64 KiB; flushed by line on a terminal, by block otherwise, and when a pipe has
 * waited for 0.2 s. A failed write is remembered; SIGPIPE ends the program.
 */
struct output {
	int fd;
	bool by_line;
	bool is_pipe;
	int error;			/* errno of the first failed write, or 0 */
	uint64_t oldest;		/* ms when the first unflushed byte came */
	size_t used;
	char bytes[65536];
};

void output_init(struct output *out, int fd);
void output_write(struct output *out, const void *bytes, size_t size);
void output_string(struct output *out, const char *s);
void output_char(struct output *out, char c);
void output_number(struct output *out, uint64_t n);
__attribute__((format(printf, 2, 3)))
void output_format(struct output *out, const char *format, ...);

/* A record ends: the time to flush by line or by age. */
void output_record_end(struct output *out);

/* False, with out->error set, if anything could not be written. */
bool output_flush(struct output *out);

#endif /* OUTPUT_H */
