/*
 * region.h - memory that the host lends to one worker
 */

#ifndef ISN_LIB_ISOLATE_REGION_H
#define ISN_LIB_ISOLATE_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A memfd that can neither shrink nor grow, so that no access to the mapping can
 * fail, whatever the worker does. All zero but 'fd', which is -1: there is none.
 */
struct isn_region {
	int fd;
	uint8_t *data;
	size_t room;
	size_t used;			/* from its start: not to be lent as it is */
	bool sent;			/* the worker has it */
};

/* At least 'size' bytes; what was there is lost. False, with errno: none left. */
bool isn_region_need(struct isn_region *r, size_t size);

/* No trace of the last image; true if it was too large to be kept. */
bool isn_region_wipe(struct isn_region *r);

void isn_region_drop(struct isn_region *r);

#endif /* ISN_LIB_ISOLATE_REGION_H */
