/*
 * interrupt.h - signals: whole records go out before the program ends
 */

#ifndef INTERRUPT_H
#define INTERRUPT_H

#include "output.h"

/*
 * From now on SIGINT, SIGTERM and SIGHUP flush the whole records in 'out', tell
 * how many files were done and end the program by the same signal, at once
 * wherever it stands; a second one does not wait for the flush. What waits in
 * 'out' for a pipe goes out after 0.2 s, whatever the program is busy with.
 */
void interrupt_watch(struct output *out);

/* Starts those 0.2 s, unless they run already. */
void interrupt_flush_soon(void);

/* One more file is done. */
void interrupt_count(void);

/*
 * A file to remove if a signal ends the program, such as one that is only half
 * written; NULL: none any more. The string must stay as it is until then.
 */
void interrupt_remove(const char *path);

#endif /* INTERRUPT_H */
