/*
 * test_write.c - the bytes of each format that pixels are written in
 */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/write.h"

/* Two rows of two pixels, gaps of 0xee between the rows. */
static const uint8_t rgba8[] = {
	1, 2, 3, 4,	5, 6, 7, 8,	0xee, 0xee,
	9, 10, 11, 12,	13, 14, 15, 16,
};
static const uint8_t rgb8[] = {
	1, 2, 3,	4, 5, 6,	0xee,
	7, 8, 9,	10, 11, 12,
};
static const uint8_t gray8[] = { 1, 2, 0xee, 3, 4 };

/* One row of two pixels. */
static const uint16_t rgba16[] = {
	0x0102, 0x0304, 0x0506, 0x0708,
	0x090a, 0x0b0c, 0x0d0e, 0x0f10,
};

static struct writing writing;

static struct imgsniff_pixmap
map_of(enum imgsniff_pixel layout, const void *pixels, size_t stride,
       uint32_t width, uint32_t height)
{
	return (struct imgsniff_pixmap){
		.struct_size = sizeof(struct imgsniff_pixmap),
		.pixels = (void *)pixels,
		.size = stride * height,
		.stride = stride,
		.width = width,
		.height = height,
		.layout = layout,
	};
}

/* What the writer makes of it, in memory to be freed. */
static char *
written(const struct writer *w, struct imgsniff_pixmap map, size_t *size)
{
	char path[] = "/tmp/test-write-XXXXXX";
	int fd = mkstemp(path);
	off_t end;
	char *bytes;

	assert_true(fd >= 0);
	unlink(path);
	assert_true(w->write(&writing, fd, &map));
	end = lseek(fd, 0, SEEK_END);
	bytes = malloc((size_t)end + 1);
	assert_non_null(bytes);
	assert_int_equal(pread(fd, bytes, (size_t)end, 0), end);
	close(fd);
	*size = (size_t)end;
	return bytes;
}

static void
expect(const struct writer *w, struct imgsniff_pixmap map, const char *bytes,
       size_t size)
{
	size_t found_size;
	char *found = written(w, map, &found_size);

	assert_int_equal(found_size, size);
	assert_memory_equal(found, bytes, size);
	free(found);
}

#define EXPECT(w, map, bytes)	expect(w, map, bytes, sizeof(bytes) - 1)

static void
pam_tells_what_the_samples_are(void **state)
{
	(void)state;

	EXPECT(&writer_pam, map_of(IMGSNIFF_RGBA8, rgba8, 10, 2, 2),
	       "P7\nWIDTH 2\nHEIGHT 2\nDEPTH 4\nMAXVAL 255\n"
	       "TUPLTYPE RGB_ALPHA\nENDHDR\n"
	       "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20");
	EXPECT(&writer_pam, map_of(IMGSNIFF_RGB8, rgb8, 7, 2, 2),
	       "P7\nWIDTH 2\nHEIGHT 2\nDEPTH 3\nMAXVAL 255\n"
	       "TUPLTYPE RGB\nENDHDR\n"
	       "\1\2\3\4\5\6\7\10\11\12\13\14");
	EXPECT(&writer_pam, map_of(IMGSNIFF_GRAY8, gray8, 3, 2, 2),
	       "P7\nWIDTH 2\nHEIGHT 2\nDEPTH 1\nMAXVAL 255\n"
	       "TUPLTYPE GRAYSCALE\nENDHDR\n"
	       "\1\2\3\4");
}

static void
samples_of_16_bits_are_big_endian(void **state)
{
	struct imgsniff_pixmap map = map_of(IMGSNIFF_RGBA16, rgba16, 16, 2, 1);

	(void)state;

	EXPECT(&writer_pam, map,
	       "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 65535\n"
	       "TUPLTYPE RGB_ALPHA\nENDHDR\n"
	       "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20");
	EXPECT(&writer_raw, map,
	       "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20");
	EXPECT(&writer_ppm, map,
	       "P6\n2 1\n65535\n\1\2\3\4\5\6\11\12\13\14\15\16");
}

static void
ppm_and_raw_are_what_they_say(void **state)
{
	(void)state;

	EXPECT(&writer_ppm, map_of(IMGSNIFF_RGB8, rgb8, 7, 2, 2),
	       "P6\n2 2\n255\n\1\2\3\4\5\6\7\10\11\12\13\14");
	EXPECT(&writer_raw, map_of(IMGSNIFF_RGBA8, rgba8, 10, 2, 2),
	       "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20");
}

static void
pam_has_no_name_for_bgra(void **state)
{
	struct imgsniff_pixmap map = map_of(IMGSNIFF_BGRA8, rgba8, 10, 2, 2);

	(void)state;

	assert_false(writer_pam.write(&writing, STDERR_FILENO, &map));

	assert_int_equal(errno, EINVAL);
}

/* More than one chunk is converted, and the last one is not full. */
static void
large_images_of_16_bits_are_whole(void **state)
{
	const uint32_t width = 1003, height = 29;
	size_t count = (size_t)width * height * 4, size;
	uint16_t *samples = malloc(count * 2);
	char *found;

	(void)state;
	assert_non_null(samples);
	for (size_t i = 0; i < count; i++)
		samples[i] = (uint16_t)(i * 7919);

	found = written(&writer_raw, map_of(IMGSNIFF_RGBA16, samples,
					    (size_t)width * 8, width, height),
			&size);

	assert_int_equal(size, count * 2);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal((uint8_t)found[2 * i], samples[i] >> 8);
		assert_int_equal((uint8_t)found[2 * i + 1], samples[i] & 0xff);
	}
	free(found);
	free(samples);
}

static void
a_full_disk_is_an_error(void **state)
{
	int fd = open("/dev/full", O_WRONLY);
	struct imgsniff_pixmap map = map_of(IMGSNIFF_RGBA8, rgba8, 10, 2, 2);

	(void)state;
	if (fd < 0)
		skip();

	for (const struct writer *const *w = writers; *w != NULL; w++) {
		if ((*w)->missing)
			continue;
		errno = 0;
		assert_false((*w)->write(&writing, fd, &map));
		assert_int_equal(errno, ENOSPC);
	}

	writing_free(&writing);
	close(fd);
}

static void
a_format_has_a_name_and_suffixes(void **state)
{
	(void)state;

	assert_ptr_equal(writer_find("jpeg"), &writer_jpeg);
	assert_ptr_equal(writer_find("jpg"), &writer_jpeg);
	assert_null(writer_find("jp"));
	assert_null(writer_find(""));
	assert_ptr_equal(writer_of_file("a.b/c.PNG"), &writer_png);
	assert_ptr_equal(writer_of_file("c.png.webp"), &writer_webp);
	assert_null(writer_of_file("a.png/c"));
	assert_null(writer_of_file("png"));
	assert_null(writer_of_file("c."));
}

static void
bytes_grow_and_keep_what_is_in_them(void **state)
{
	struct bytes b = { 0 };

	(void)state;

	for (unsigned int i = 0; i < 10000; i++)
		assert_true(bytes_add(&b, &i, sizeof(i)));

	assert_int_equal(b.size, 10000 * sizeof(unsigned int));
	for (unsigned int i = 0; i < 10000; i++)
		assert_memory_equal(b.data + i * sizeof(i), &i, sizeof(i));
	errno = 0;
	assert_false(bytes_reserve(&b, SIZE_MAX - 8));
	assert_int_equal(errno, ENOMEM);
	assert_int_equal(b.size, 10000 * sizeof(unsigned int));
	bytes_free(&b);
	assert_null(b.data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pam_tells_what_the_samples_are),
		cmocka_unit_test(samples_of_16_bits_are_big_endian),
		cmocka_unit_test(ppm_and_raw_are_what_they_say),
		cmocka_unit_test(pam_has_no_name_for_bgra),
		cmocka_unit_test(large_images_of_16_bits_are_whole),
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(a_format_has_a_name_and_suffixes),
		cmocka_unit_test(bytes_grow_and_keep_what_is_in_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
