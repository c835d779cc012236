/*
 * threads.c - two threads, each with a decoder of its own, know nothing of each
 * other: under MODE=tsan nothing that they share is written
 */

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "property/images.h"

#define THREADS		2

static const struct imgsniff_decode_options options = {
	.struct_size = sizeof(options),
	.layout = IMGSNIFF_RGB8,
	.flags = IMGSNIFF_ORIENT | IMGSNIFF_SRGB | IMGSNIFF_KEEP_DAMAGED,
	.fit_width = 9,
};

struct worker {
	pthread_t thread;
	pthread_barrier_t *start;
	const char *backend;
	uint64_t *sums;			/* one for each image */
};

/* FNV-1a, 64 bits, onto 'hash'. */
static uint64_t
hash_add(uint64_t hash, const void *data, size_t size)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t
frame_add(struct imgsniff_decoder *d, uint64_t sum,
	  const struct imgsniff_decode_options *o)
{
	struct imgsniff_image *image;
	enum imgsniff_status st = imgsniff_decode(d, o, &image);

	sum = hash_add(sum, &st, sizeof(st));
	if (image != NULL)
		sum = hash_add(sum, image->map.pixels, image->map.size);
	imgsniff_image_free(image);
	return sum;
}

/* All that can be asked of an image. */
static uint64_t
image_sum(struct imgsniff_decoder *d, const struct image_file *image)
{
	struct imgsniff_verdict v = { .struct_size = sizeof(v) };
	enum imgsniff_status st = imgsniff_open_file(d, image->name, 0);
	uint64_t sum = (uint64_t)st;

	if (imgsniff_get_info(d) == NULL)
		return sum;
	for (enum imgsniff_metadata m = IMGSNIFF_ICC; m <= IMGSNIFF_XMP; m++) {
		struct imgsniff_view view;

		if (imgsniff_get_metadata(d, m, &view) == IMGSNIFF_OK)
			sum = hash_add(sum, view.data, view.size);
	}
	if (imgsniff_check(d, &v) == IMGSNIFF_OK)
		sum = hash_add(sum, &v.offset, sizeof(v.offset));
	do {
		sum = frame_add(d, sum, NULL);
		sum = frame_add(d, sum, &options);
	} while (imgsniff_next_frame(d) == IMGSNIFF_OK);
	return sum;
}

static void *
worker_run(void *user)
{
	struct worker *w = user;
	struct imgsniff_options o = {
		.struct_size = sizeof(o), .backend = w->backend,
	};
	struct imgsniff_decoder *d;

	pthread_barrier_wait(w->start);
	d = imgsniff_new(&o);
	if (d == NULL || imgsniff_features() == NULL)
		return NULL;
	for (size_t i = 0; i < image_count; i++)
		w->sums[i] = image_sum(d, &images[i]);
	imgsniff_free(d);
	return w;
}

static void
threads_run(const char *const backends[THREADS], uint64_t *sums[THREADS])
{
	struct worker workers[THREADS];
	pthread_barrier_t start;

	assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
	for (size_t i = 0; i < THREADS; i++) {
		sums[i] = calloc(image_count, sizeof(*sums[i]));
		assert_non_null(sums[i]);
		workers[i] = (struct worker){
			.start = &start, .backend = backends[i],
			.sums = sums[i],
		};
		assert_int_equal(pthread_create(&workers[i].thread, NULL,
						worker_run, &workers[i]), 0);
	}
	for (size_t i = 0; i < THREADS; i++) {
		void *result;

		assert_int_equal(pthread_join(workers[i].thread, &result), 0);
		assert_ptr_equal(result, &workers[i]);
	}
	pthread_barrier_destroy(&start);
}

/* Comes first, so that what is chosen once is chosen by both at a time. */
static void
decoders_of_two_threads_give_the_same(void **state)
{
	static const char *const best[THREADS] = { NULL, NULL };
	uint64_t *sums[THREADS];

	(void)state;
	threads_run(best, sums);
	for (size_t i = 0; i < image_count; i++)
		if (sums[0][i] != sums[1][i])
			fail_msg("%s differs", images[i].name);
	free(sums[0]);
	free(sums[1]);
}

static void
backends_of_two_threads_do_not_meet(void **state)
{
	static const char *const pairs[][THREADS] = {
		{ "stb", "stb" }, { "zlib", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		uint64_t *again[THREADS], *sums[THREADS];

		threads_run(pairs[i], sums);
		threads_run(pairs[i], again);
		for (size_t n = 0; n < THREADS; n++) {
			assert_memory_equal(sums[n], again[n],
					    image_count * sizeof(uint64_t));
			free(sums[n]);
			free(again[n]);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decoders_of_two_threads_give_the_same),
		cmocka_unit_test(backends_of_two_threads_do_not_meet),
	};
	int failed;

	images_read();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	images_free();
	return failed;
}
