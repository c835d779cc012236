/*
 * wire.c - packets, and descriptors with them
 */

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/isolate/wire.h"

/* Aligned as the kernel wants it. */
union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(ISN_WIRE_DESCRIPTORS * sizeof(int))];
};

int
isn_wire_send(int socket, void *data, size_t size, const int *fds,
	      size_t count)
{
	struct iovec part = { data, size };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	union control control;
	ssize_t n;

	if (count > 0) {
		struct cmsghdr *c;

		memset(&control, 0, sizeof(control));
		message.msg_control = control.bytes;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
		c = CMSG_FIRSTHDR(&message);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(c), fds, count * sizeof(int));
	}
	do
		n = sendmsg(socket, &message, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? errno : 0;
}

static void
descriptors_close(const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		close(fds[i]);
}

static void
descriptors_take(struct msghdr *message, int *fds, size_t *count)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(message);

	if (c == NULL || c->cmsg_level != SOL_SOCKET ||
	    c->cmsg_type != SCM_RIGHTS)
		return;
	*count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	memcpy(fds, CMSG_DATA(c), *count * sizeof(int));
}

int
isn_wire_receive(int socket, void *data, size_t size, int *fds, size_t room,
		 size_t *count)
{
	struct iovec part = { data, size };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	union control control;
	ssize_t n;

	*count = 0;
	if (fds != NULL) {
		message.msg_control = control.bytes;
		message.msg_controllen = CMSG_SPACE(room * sizeof(int));
	}
	do
		n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return n == 0 ? EPIPE : errno;
	if (fds != NULL)
		descriptors_take(&message, fds, count);
	if ((size_t)n == size && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
		return 0;
	descriptors_close(fds, *count);
	*count = 0;
	return EPROTO;
}

void
isn_wire_text(char to[ISN_WIRE_TEXT], const char *message)
{
	size_t size;

	if (message == NULL)
		message = "";
	size = strlen(message);
	if (size >= ISN_WIRE_TEXT)
		size = ISN_WIRE_TEXT - 1;
	memcpy(to, message, size);
	memset(to + size, 0, ISN_WIRE_TEXT - size);
}
