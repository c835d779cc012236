/*
 * output.h - standard output through one buffer, every flush checked
 */

#ifndef OUTPUT_H
#define OUTPUT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A write is this long, or longer by the record that did not fit. */
#define OUTPUT_BLOCK	65536

/*
 * Flushed by record on a terminal, by block otherwise (and, see interrupt.h, when
 * a pipe has waited for 0.2 s). A failed write is remembered and nothing more is
 * written; SIGPIPE ends the program.
 */
struct output {
	int fd;
	bool by_line;			/* a terminal */
	bool is_pipe;			/* or a socket: somebody waits */
	int error;			/* errno of the first failed write, or 0 */
	/*
	 * While 'busy' is not zero the buffer may end within a record, or is
	 * being written. A signal handler that finds it so sets 'late' instead of
	 * touching it; wake() is called as soon as that has passed.
	 */
	volatile sig_atomic_t busy;
	volatile sig_atomic_t late;
	void (*wake)(void);
	size_t used;
	char bytes[OUTPUT_BLOCK + OUTPUT_BLOCK / 2];
};

void output_init(struct output *out, int fd);

/* A record is written between these two. The end is the time to flush. */
void output_record_begin(struct output *out);
void output_record_end(struct output *out);

void output_write(struct output *out, const void *bytes, size_t size);
void output_string(struct output *out, const char *s);
void output_char(struct output *out, char c);
void output_number(struct output *out, uint64_t n);
__attribute__((format(printf, 2, 3)))
void output_format(struct output *out, const char *format, ...);

/* False, with out->error set, if anything could not be written. */
bool output_flush(struct output *out);

#endif /* OUTPUT_H */
