/*
 * test_gif_damage.c - what codec/gif makes of damage and of little memory
 */

#include "property/fence.h"
#include "unit/gif_build.h"

/* ---- Damage ------------------------------------------------------------- */

/* Frames that are whole are right, rows said to be valid too, others are zero. */
static void
cut_frames_check(unsigned int height, bool interlaced)
{
	static const uint8_t zeros[20 * 4];
	enum imgsniff_status st;
	unsigned int i = 0;

	do {
		st = decode(IMGSNIFF_KEEP_DAMAGED);
		assert_true(i < STORY);
		if (st == IMGSNIFF_OK)
			assert_int_equal(rows_valid, height);
		else
			assert_int_equal(st, IMGSNIFF_ERR_TRUNCATED);
		if (interlaced && st != IMGSNIFF_OK)
			assert_int_equal(rows_valid, 0);
		for (unsigned int y = 0; y < height; y++)
			assert_memory_equal(canvas + 80 * y,
					    y < rows_valid ? story[i] + 80 * y
							   : zeros, 80);
		i++;
		st = imgsniff_next_frame(d);
	} while (st == IMGSNIFF_OK);
	if (st != IMGSNIFF_END)
		assert_int_equal(st, IMGSNIFF_ERR_TRUNCATED);
}

static void
every_cut_check(bool interlaced)
{
	for (size_t n = 0; n < g.size; n++) {
		uint8_t *cut = malloc(n + !n);	/* exact, for the sanitizer */
		enum imgsniff_status st;

		assert_non_null(cut);
		memcpy(cut, g.bytes, n);
		st = imgsniff_open_memory(d, cut, n, 0);
		if (n < 6)
			assert_int_equal(st, IMGSNIFF_ERR_FORMAT);
		else if (st != IMGSNIFF_OK)
			assert_int_equal(st, IMGSNIFF_ERR_TRUNCATED);
		if (st != IMGSNIFF_OK)
			assert_int_equal(imgsniff_last_error(d)->offset,
					 n < 6 ? 0 : n);
		if (st != IMGSNIFF_ERR_FORMAT &&
		    imgsniff_get_info(d)->frames > 0)
			cut_frames_check(16, interlaced);
		imgsniff_close(d);
		free(cut);
	}
}

static void
every_cut_of_an_animation_is_told(void **state)
{
	(void)state;
	story_tell();
	every_cut_check(false);
}

static void
every_cut_of_a_still_is_told(void **state)
{
	static uint8_t indices[20 * 16];

	(void)state;
	for (unsigned int flags = 0; flags <= 0x40; flags += 0x40) {
		indices_make(indices, sizeof(indices), 4);
		begin(20, 16, 4);
		put_descriptor(0, 0, 20, 16, flags);
		put8(4);
		lzw_encode(indices, sizeof(indices), 4, USUAL);
		put_codes();
		put_trailer();
		open_good();
		decode_good();
		memcpy(story[0], canvas, sizeof(story[0]));

		every_cut_check(flags != 0);
	}
}

/* Any byte may be anything: no verdict is asked for, only that all goes well. */
static void
any_byte_may_be_wrong(void **state)
{
	uint8_t *copy;

	(void)state;
	story_tell();
	copy = malloc(g.size);
	assert_non_null(copy);
	for (size_t at = 6; at < g.size; at++) {
		enum imgsniff_status st;

		if (at >= 6 && at < 10)
			continue;	/* the size: 'canvas' is for 20 x 16 */
		memcpy(copy, g.bytes, g.size);
		copy[at] ^= (uint8_t)(1u << random_next() % 8);
		st = imgsniff_open_memory(d, copy, g.size, 0);
		if (imgsniff_get_info(d)->frames == 0) {
			assert_int_not_equal(st, IMGSNIFF_OK);
			continue;
		}
		do {
			st = decode(IMGSNIFF_KEEP_DAMAGED);
			assert_int_not_equal(st, IMGSNIFF_ERR_USAGE);
			assert_true(rows_valid <= 16);
		} while (imgsniff_next_frame(d) == IMGSNIFF_OK);
	}
	free(copy);
}

/* ---- Fences ------------------------------------------------------------- */

/* All frames of the first 'size' bytes, against one end of the fences. */
static void
fenced_decode(const struct fence *in, const struct fence *out, size_t size,
	      enum imgsniff_pixel layout, bool at_end)
{
	const struct imgsniff_info *info;
	struct imgsniff_decode_options o = {
		.struct_size = sizeof(o), .flags = IMGSNIFF_KEEP_DAMAGED,
	};
	uint8_t *bytes = fence_at(in, size, at_end);

	memcpy(bytes, g.bytes, size);
	if (imgsniff_open_memory(d, bytes, size, 0) == IMGSNIFF_ERR_FORMAT)
		return;
	info = imgsniff_get_info(d);
	if (info->frames == 0)
		return;
	do {
		size_t row = imgsniff_row_size(layout, info->width);
		struct imgsniff_pixmap dst = {
			.struct_size = sizeof(dst), .layout = layout,
			.size = row * info->height, .stride = row,
			.width = info->width, .height = info->height,
		};

		dst.pixels = fence_at(out, dst.size, at_end);
		assert_int_not_equal(imgsniff_decode_into(d, &o, &dst),
				     IMGSNIFF_ERR_USAGE);
	} while (imgsniff_next_frame(d) == IMGSNIFF_OK);
	imgsniff_close(d);
}

static void
every_cut_fenced_decode(void)
{
	static const enum imgsniff_pixel layouts[] = {
		IMGSNIFF_RGBA8, IMGSNIFF_BGRA8, IMGSNIFF_RGB8, IMGSNIFF_GRAY8,
		IMGSNIFF_RGBA16,
	};
	struct fence in = fence_make(g.size), out = fence_make(sizeof(canvas));

	for (size_t n = 0; n <= g.size; n++)
		fenced_decode(&in, &out, n, layouts[n / 2 % 5], n % 2);
	for (unsigned int i = 0; i < 10; i++)
		fenced_decode(&in, &out, g.size, layouts[i / 2], i % 2);
	fence_free(&in);
	fence_free(&out);
}

static void
nothing_beside_input_and_output_is_touched(void **state)
{
	static uint8_t indices[61 * 53];

	(void)state;
	story_tell();
	every_cut_fenced_decode();
	for (unsigned int i = 0; i < 4; i++) {
		begin(61, 53, 6);
		if (i % 2)
			put_control(0, 0, 3);
		put_descriptor(0, 0, 61, 53, i / 2 ? 0x40 : 0);
		indices_make(indices, sizeof(indices), 6);
		put8(6);
		lzw_encode(indices, sizeof(indices), 6, USUAL);
		put_codes();
		put_trailer();
		every_cut_fenced_decode();
	}
}

/* ---- Memory ------------------------------------------------------------- */

struct counter {
	unsigned int calls;
	unsigned int fail_at;		/* the call that fails; 0: none does */
	size_t held;
};

static void *
counter_allocate(void *user, size_t size)
{
	struct counter *c = user;
	void *ptr;

	if (++c->calls == c->fail_at)
		return NULL;
	ptr = malloc(size);
	if (ptr != NULL)
		c->held += size;
	return ptr;
}

static void
counter_release(void *user, void *ptr, size_t size)
{
	struct counter *c = user;

	if (ptr != NULL)
		c->held -= size;
	free(ptr);
}

static void
counter_use(struct counter *c, const struct imgsniff_limits *limits)
{
	const struct imgsniff_allocator a = {
		counter_allocate, counter_release, c,
	};
	struct imgsniff_options o = {
		.struct_size = sizeof(o), .allocator = &a,
	};

	if (limits != NULL)
		o.limits = *limits;
	imgsniff_free(d);
	d = imgsniff_new(&o);
}

static enum imgsniff_status
frames_decode(void)
{
	enum imgsniff_status st = open_built();

	while (st == IMGSNIFF_OK) {
		st = decode(0);
		if (st == IMGSNIFF_OK)
			st = imgsniff_next_frame(d);
	}
	return st;
}

static void
a_warm_decoder_allocates_nothing(void **state)
{
	struct counter c = { 0 };
	unsigned int cold;

	(void)state;
	story_tell();
	counter_use(&c, NULL);
	assert_int_equal(frames_decode(), IMGSNIFF_END);
	cold = c.calls;

	assert_int_equal(frames_decode(), IMGSNIFF_END);

	assert_int_equal(c.calls, cold);
	imgsniff_free(d);
	d = NULL;
	assert_int_equal(c.held, 0);
}

static unsigned int
allocations_of_frames(unsigned int frames)
{
	struct counter c = { 0 };

	begin(16, 16, 2);
	for (unsigned int i = 0; i < frames; i++)
		put_flat(0, 0, 16, 16, i % 4);
	put_trailer();
	counter_use(&c, NULL);
	assert_int_equal(frames_decode(), IMGSNIFF_END);
	imgsniff_free(d);
	d = NULL;
	return c.calls;
}

static void
allocations_do_not_grow_with_frames(void **state)
{
	(void)state;
	assert_int_equal(allocations_of_frames(2000), allocations_of_frames(2));
}

static void
any_allocation_may_fail(void **state)
{
	unsigned int n;

	(void)state;
	story_tell();
	for (n = 1; n < 100; n++) {
		struct counter c = { .fail_at = n };
		enum imgsniff_status st;

		counter_use(&c, NULL);
		if (d == NULL) {
			assert_int_equal(c.held, 0);
			continue;
		}
		st = frames_decode();
		if (st != IMGSNIFF_END)
			assert_int_equal(st, IMGSNIFF_ERR_MEMORY);
		imgsniff_free(d);
		d = NULL;
		assert_int_equal(c.held, 0);
		if (st == IMGSNIFF_END)
			break;
	}
	assert_in_range(n, 4, 50);
}

static void
the_memory_limit_holds(void **state)
{
	(void)state;
	story_tell();
	for (uint64_t limit = 1; limit < 100000; limit += 997) {
		struct imgsniff_limits limits = { .max_memory = limit };
		struct counter c = { 0 };
		enum imgsniff_status st;

		counter_use(&c, &limits);
		st = frames_decode();
		if (st != IMGSNIFF_END)
			assert_int_equal(st, IMGSNIFF_ERR_LIMIT);
		imgsniff_free(d);
		d = NULL;
		assert_int_equal(c.held, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_cut_of_an_animation_is_told),
		TEST(every_cut_of_a_still_is_told),
		TEST(any_byte_may_be_wrong),
		TEST(nothing_beside_input_and_output_is_touched),
		TEST(a_warm_decoder_allocates_nothing),
		TEST(allocations_do_not_grow_with_frames),
		TEST(any_allocation_may_fail),
		TEST(the_memory_limit_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
