/*
 * user.cc - a user of the installed library, in C++
 *
 *	user FILE VERSION
 */

#include <cstdio>
#include <cstring>
#include <memory>

#include <imgsniff.h>

int
main(int argc, char **argv)
{
	if (argc != 3 || std::strcmp(imgsniff_version(), argv[2]) != 0) {
		std::fprintf(stderr, "wrong version: %s\n", imgsniff_version());
		return 1;
	}

	std::unique_ptr<imgsniff_decoder, void (*)(imgsniff_decoder *)>
		d(imgsniff_new(nullptr), imgsniff_free);
	imgsniff_image *decoded = nullptr;

	if (!d)
		return 1;
	if (imgsniff_open_file(d.get(), argv[1], 0) != IMGSNIFF_OK ||
	    imgsniff_decode(d.get(), nullptr, &decoded) != IMGSNIFF_OK) {
		std::fprintf(stderr, "%s\n",
			     imgsniff_last_error(d.get())->message);
		return 1;
	}

	std::unique_ptr<imgsniff_image, void (*)(imgsniff_image *)>
		image(decoded, imgsniff_image_free);
	const imgsniff_info *info = imgsniff_get_info(d.get());

	std::printf("%s %lux%lu\n",
		    imgsniff_get_format_info(info->format)->name,
		    static_cast<unsigned long>(image->map.width),
		    static_cast<unsigned long>(image->map.height));
	return 0;
}
