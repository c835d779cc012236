/*
 * marker.c - from one marker of a JPEG to the next
 */

#include <string.h>

#include "codec/jpeg/jpeg.h"

/*
 * Bytes before a marker, junk and fill together, that are put up with. Decoders
 * have no bound; but a scan over many files must not read through large ones.
 */
#define JUNK_MAX	(1u << 20)

static const struct {
	uint8_t code;
	uint8_t process;
} frames[] = {
	{ 0xC0, 0 },
	{ 0xC1, 0 },
	{ 0xC2, JPEG_PROGRESSIVE },
	{ 0xC3, JPEG_LOSSLESS },
	{ 0xC5, JPEG_HIERARCHICAL },
	{ 0xC6, JPEG_HIERARCHICAL | JPEG_PROGRESSIVE },
	{ 0xC7, JPEG_HIERARCHICAL | JPEG_LOSSLESS },
	{ 0xC9, JPEG_ARITHMETIC },
	{ 0xCA, JPEG_ARITHMETIC | JPEG_PROGRESSIVE },
	{ 0xCB, JPEG_ARITHMETIC | JPEG_LOSSLESS },
	{ 0xCD, JPEG_ARITHMETIC | JPEG_HIERARCHICAL },
	{ 0xCE, JPEG_ARITHMETIC | JPEG_HIERARCHICAL | JPEG_PROGRESSIVE },
	{ 0xCF, JPEG_ARITHMETIC | JPEG_HIERARCHICAL | JPEG_LOSSLESS },
	/* The size of the whole, before the frames that refine it: B.3.2. */
	{ JPEG_DHP, JPEG_HIERARCHICAL },
	{ JPEG_SOF55, JPEG_LS | JPEG_LOSSLESS },
};

/* Where the input ends inside of a segment; the last row is for all others. */
static const struct {
	uint8_t from, to;
	const char *message;
} ends[] = {
	{ JPEG_DHT, JPEG_DHT, "DHT: the file ends inside it" },
	{ JPEG_DAC, JPEG_DAC, "DAC: the file ends inside it" },
	{ JPEG_SOF0, 0xCF, "SOF: the file ends inside it" },
	{ JPEG_SOS, JPEG_SOS, "SOS: the file ends inside it" },
	{ JPEG_DQT, JPEG_DQT, "DQT: the file ends inside it" },
	{ JPEG_DNL, JPEG_DNL, "DNL: the file ends inside it" },
	{ JPEG_DRI, JPEG_DRI, "DRI: the file ends inside it" },
	{ JPEG_APP0, JPEG_APP15, "APPn: the file ends inside it" },
	{ JPEG_COM, JPEG_COM, "COM: the file ends inside it" },
	{ 0x00, 0xFF, "segment: the file ends inside it" },
};

unsigned int
isn_jpeg_process(uint8_t code)
{
	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++)
		if (frames[i].code == code)
			return JPEG_FRAME | frames[i].process;
	return 0;
}

bool
isn_jpeg_fault(struct isn_jpeg_fault *fault, enum imgsniff_status status,
	       uint64_t offset, const char *message)
{
	*fault = (struct isn_jpeg_fault){ status, offset, message };
	return false;
}

static bool
fault_end(struct isn_jpeg_fault *fault, const struct isn_reader *in,
	  const struct isn_jpeg_segment *s)
{
	size_t i = 0;

	while (s->code < ends[i].from || s->code > ends[i].to)
		i++;
	return isn_jpeg_fault(fault, IMGSNIFF_ERR_TRUNCATED, isn_tell(in),
			      ends[i].message);
}

/*
 * Anything, fill bytes FF, and the first byte that is neither FF nor 00: this is
 * how libjpeg gets back into step too.
 */
static bool
marker_find(struct isn_reader *in, struct isn_jpeg_segment *s,
	    struct isn_jpeg_fault *fault)
{
	uint64_t from = isn_tell(in), passed = 0;
	uint8_t previous, code = 0;

	s->junk = 0;
	do {
		if (code != 0xFF)
			s->junk = passed;
		previous = code;
		code = isn_u8(in);
		passed++;
		if (in->overrun)
			return isn_jpeg_fault(fault, IMGSNIFF_ERR_TRUNCATED,
				isn_tell(in), "marker: the file ends before it");
		if (passed > JUNK_MAX)
			return isn_jpeg_fault(fault, IMGSNIFF_ERR_CORRUPT, from,
				"marker: too many bytes before it");
	} while (previous != 0xFF || code == 0xFF || code == 0);
	s->code = code;
	s->offset = isn_tell(in) - 2;
	return true;
}

static bool
code_stands_alone(uint8_t code)
{
	return code == JPEG_TEM || (code >= JPEG_RST0 && code <= JPEG_EOI);
}

static bool
code_known(uint8_t code)
{
	return (code >= JPEG_SOF0 && code <= JPEG_APP15) || code == JPEG_TEM ||
	       code == JPEG_SOF55 || code == JPEG_LSE || code == JPEG_COM;
}

static bool
code_passed_over(uint8_t code)
{
	return (code >= JPEG_APP0 && code <= JPEG_APP15) || code == JPEG_COM;
}

bool
isn_jpeg_next(struct isn_reader *in, struct isn_jpeg_segment *s,
	      struct isn_jpeg_fault *fault)
{
	uint16_t length;

	if (!marker_find(in, s, fault))
		return false;
	s->start = s->offset + 2;
	s->size = 0;
	s->short_length = false;
	if (!code_known(s->code))
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_CORRUPT, s->offset,
				      "marker: there is no such one");
	if (code_stands_alone(s->code))
		return true;
	length = isn_u16be(in);
	if (in->overrun)
		return fault_end(fault, in, s);
	/* The length counts itself. Of what is passed over, less is as nothing. */
	s->short_length = length < 2;
	if (s->short_length && !code_passed_over(s->code))
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_CORRUPT, s->start,
				      "segment: its length is below 2");
	s->start += 2;
	s->size = s->short_length ? 0 : length - 2u;
	return true;
}

bool
isn_jpeg_pass(struct isn_reader *in, const struct isn_jpeg_segment *s,
	      struct isn_jpeg_fault *fault)
{
	if (s->size > 0) {
		isn_seek(in, s->start + s->size - 1);
		isn_u8(in);
	}
	return in->overrun ? fault_end(fault, in, s) : true;
}

bool
isn_jpeg_read_frame(struct isn_reader *in, const struct isn_jpeg_segment *s,
		    struct isn_jpeg_frame *frame, struct isn_jpeg_fault *fault)
{
	frame->offset = s->offset;
	frame->height_offset = s->start + 1;
	frame->precision = isn_u8(in);
	frame->height = isn_u16be(in);
	frame->width = isn_u16be(in);
	frame->count = isn_u8(in);
	if (in->overrun)
		return fault_end(fault, in, s);
	frame->process = isn_jpeg_process(s->code);
	if (s->size != 6 + 3u * frame->count)
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_CORRUPT, s->start - 2,
				      "SOF: its length is wrong");
	if (frame->width == 0)
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_CORRUPT, s->start + 3,
				      "SOF: width is zero");
	if (frame->count == 0)
		return isn_jpeg_fault(fault, IMGSNIFF_ERR_CORRUPT, s->start + 5,
				      "SOF: no components");
	for (int i = 0; i < frame->count && i < JPEG_COMPONENTS; i++) {
		struct isn_jpeg_component *c = &frame->components[i];
		uint8_t factors;

		c->id = isn_u8(in);
		factors = isn_u8(in);
		c->h = factors >> 4;
		c->v = factors & 15;
		c->quant = isn_u8(in);
	}
	return in->overrun ? fault_end(fault, in, s) : true;
}

bool
isn_jpeg_pass_scan(struct isn_reader *in)
{
	while (isn_have(in, 1)) {
		const uint8_t *p = memchr(in->next, 0xFF,
					  (size_t)(in->end - in->next));

		in->next = p ? p : in->end;
		if (p == NULL)
			continue;
		if (!isn_have(in, 2))
			return false;
		if (in->next[1] == 0xFF)
			in->next++;	/* fill */
		else if (in->next[1] == 0 || (in->next[1] >= JPEG_RST0 &&
					      in->next[1] <= JPEG_RST7))
			in->next += 2;
		else
			return true;
	}
	return false;
}
