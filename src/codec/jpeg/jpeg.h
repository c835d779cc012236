/*
 * jpeg.h - what the files of the JPEG codec share
 *
 * Sections are those of ITU-T T.81.
 */

#ifndef ISN_CODEC_JPEG_JPEG_H
#define ISN_CODEC_JPEG_JPEG_H

#include "codec.h"

/* The second byte of a marker: Table B.1. JPEG-LS (T.87) adds SOF55 and LSE. */
enum {
	JPEG_TEM = 0x01,
	JPEG_SOF0 = 0xC0,
	JPEG_DHT = 0xC4,
	JPEG_JPG = 0xC8,
	JPEG_DAC = 0xCC,
	JPEG_RST0 = 0xD0,
	JPEG_RST7 = 0xD7,
	JPEG_SOI = 0xD8,
	JPEG_EOI = 0xD9,
	JPEG_SOS = 0xDA,
	JPEG_DQT = 0xDB,
	JPEG_DNL = 0xDC,
	JPEG_DRI = 0xDD,
	JPEG_DHP = 0xDE,
	JPEG_EXP = 0xDF,
	JPEG_APP0 = 0xE0,
	JPEG_APP1 = 0xE1,
	JPEG_APP2 = 0xE2,
	JPEG_APP14 = 0xEE,
	JPEG_APP15 = 0xEF,
	JPEG_SOF55 = 0xF7,
	JPEG_LSE = 0xF8,
	JPEG_COM = 0xFE,
};

/* How a frame is coded, by the marker that begins its header. */
enum {
	JPEG_FRAME = 1 << 0,		/* it does begin one */
	JPEG_PROGRESSIVE = 1 << 1,
	JPEG_ARITHMETIC = 1 << 2,
	JPEG_LOSSLESS = 1 << 3,
	JPEG_HIERARCHICAL = 1 << 4,
	JPEG_LS = 1 << 5,
};

/* Those of marker 'code'; 0 if it begins no frame. */
unsigned int isn_jpeg_process(uint8_t code);

/* No decoder here has use for more components. */
#define JPEG_COMPONENTS	4

struct isn_jpeg_component {
	uint8_t id;
	uint8_t h, v;			/* sampling factors */
	uint8_t quant;			/* table */
};

struct isn_jpeg_frame {			/* B.2.2 */
	uint64_t offset;		/* of the marker */
	uint64_t height_offset;
	unsigned int process;		/* 0: none was met */
	uint8_t precision;
	uint16_t width;
	uint16_t height;		/* 0: DNL tells it */
	uint8_t count;			/* of components; the first few: */
	struct isn_jpeg_component components[JPEG_COMPONENTS];
};

struct isn_jpeg_segment {
	uint64_t offset;		/* of the marker's FF */
	uint64_t junk;			/* bytes before it that are no fill */
	uint64_t start;			/* of its parameters */
	uint32_t size;			/* of them */
	uint8_t code;
	bool short_length;		/* the length field says 0 or 1 */
};

/* What is wrong. TRUNCATED goes with an overrun of the reader. */
struct isn_jpeg_fault {
	enum imgsniff_status status;	/* OK: nothing */
	uint64_t offset;
	const char *message;
};

/* marker.c: each is false, and *fault says why, where it cannot go on. */

/* The next marker and the length of its segment; 'in' then is at 'start'. */
bool isn_jpeg_next(struct isn_reader *in, struct isn_jpeg_segment *s,
		   struct isn_jpeg_fault *fault);

/* Past the segment, all of which must be there. */
bool isn_jpeg_pass(struct isn_reader *in, const struct isn_jpeg_segment *s,
		   struct isn_jpeg_fault *fault);

/* The frame header in 's'. On a fault, what was read is in *frame. */
bool isn_jpeg_read_frame(struct isn_reader *in,
			 const struct isn_jpeg_segment *s,
			 struct isn_jpeg_frame *frame,
			 struct isn_jpeg_fault *fault);

/*
 * From a scan's entropy-coded data to the marker that ends them; restart markers
 * and FF 00 belong to them (B.1.1.5). False: the input ends first.
 */
bool isn_jpeg_pass_scan(struct isn_reader *in);

bool isn_jpeg_fault(struct isn_jpeg_fault *fault, enum imgsniff_status status,
		    uint64_t offset, const char *message);

/* A run of bytes in the input; size 0: none. */
struct isn_jpeg_piece {
	uint64_t offset;
	uint64_t size;
};

/* An ICC profile's parts, in the order of their numbers. */
struct isn_jpeg_icc {
	uint64_t offset[255];
	uint32_t size[255];
	uint8_t count;			/* as the first one says */
	uint8_t found;
	bool bad;			/* they contradict each other */
};

/* d->state: what open() found up to the first scan. */
struct isn_jpeg {
	struct isn_jpeg_frame frame;
	bool delayed_height;		/* frame.height is from DNL */
	bool jfif;
	bool adobe;
	uint8_t adobe_transform;
	bool odd_marker;		/* JFIF or Adobe of an unusual shape */
	bool near_lossless;		/* JPEG-LS: NEAR is not zero */
	struct isn_jpeg_piece exif;
	struct isn_jpeg_piece xmp;
	struct isn_jpeg_icc *icc;	/* NULL: none */
	struct imgsniff_view joined_icc;	/* once it was asked for */
	struct imgsniff_view copied_exif;
	struct imgsniff_view copied_xmp;
};

/* metadata.c: the codec's metadata(), and the sum of a sane profile's parts. */
enum imgsniff_status
isn_jpeg_metadata(struct imgsniff_decoder *d, enum imgsniff_metadata which,
		  struct imgsniff_view *view);
uint64_t isn_jpeg_icc_size(const struct isn_jpeg_icc *icc);

/*
 * walk.c: the structure of a whole image, proved.
 *
 * After it, every scan's components, spectral selection and tables are legal and
 * defined, and every component has a scan. Entropy-coded data are passed over,
 * not decoded.
 */
#define JPEG_AC_SCANS	16

struct isn_jpeg_walk {
	struct isn_jpeg_fault fault;	/* the first; what follows was not read */
	struct isn_jpeg_frame frame;
	uint32_t scans;			/* begun */
	uint64_t first_scan;		/* offset of its SOS */
	uint64_t last_scan;
	uint64_t end;			/* past EOI, or where the walk stopped */
	bool eoi;
	bool complete;			/* every bit of every coefficient was sent */
	bool one_scan;			/* sequential, all components together */
	uint32_t restart_interval;	/* MCUs, 0: none */
	uint64_t junk;			/* bytes between segments */
	uint64_t junk_offset;		/* the first of them */
	bool odd_scan;			/* sequential, with odd Ss, Se, Ah or Al */
	bool odd_segment;		/* DNL, DAC, or a marker out of its place */
	bool standard_tables;		/* uses Huffman tables it does not define */
	bool full_table;		/* one with 256 symbols */

	/* The last scan, of one_scan the only one. */
	uint8_t scan_count;		/* of its components: */
	uint8_t scan_component[JPEG_COMPONENTS];
	uint8_t scan_tables[JPEG_COMPONENTS];	/* DC << 4 | AC */

	/* Of a progression, AC scans with their headers; later ones are not kept. */
	uint8_t ac_count;
	struct {
		struct isn_jpeg_piece piece;
		uint8_t component;
	} ac_scans[JPEG_AC_SCANS];

	/* Tables at hand, and the lowest bit sent of each coefficient, or -1. */
	struct {
		bool defined;
		bool valid;		/* its code lengths and symbols are */
		size_t offset;		/* of its 16 counts; symbols follow */
	} huffman[2][4];		/* DC, AC */
	bool quant[4];
	uint16_t quant_low[4][5];	/* their first entries */
	int8_t sent[JPEG_COMPONENTS][64];
};

/*
 * Walks all of 'bytes' or, if 'for_pixels', only as far as what follows cannot
 * matter to the pixels: to the data of a scan that holds all components.
 */
void isn_jpeg_walk(const struct imgsniff_decoder *d, struct imgsniff_view bytes,
		   bool for_pixels, struct isn_jpeg_walk *w);

/* The fault, as the error of a call that had all 'size' bytes. */
enum imgsniff_status
isn_jpeg_fail(struct imgsniff_decoder *d, const struct isn_jpeg_fault *fault,
	      size_t size);

/* check.c: the codec's check(). */
enum imgsniff_status isn_jpeg_check(struct imgsniff_decoder *d);

/* The backends. */
#if HAVE_LIBJPEG
enum imgsniff_status
isn_jpeg_libjpeg_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst);

enum imgsniff_status
isn_jpeg_libjpeg_rows(struct imgsniff_decoder *d, struct isn_sink *sink);
#endif

enum imgsniff_status
isn_jpeg_stb_decode(struct imgsniff_decoder *d, struct imgsniff_pixmap *dst);

#endif /* ISN_CODEC_JPEG_JPEG_H */
