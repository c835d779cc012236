"""make - writes the images of test-images/

    python3 test-images/make [FOLDER]       (or: make images)

Needs a C compiler, libjpeg-turbo and libwebp; other versions of these may code
the same picture in other bytes.
"""
import os
import sys

sys.dont_write_bytecode = True

import bad      # noqa: E402
import gif      # noqa: E402
import jpeg     # noqa: E402
import other    # noqa: E402
import png      # noqa: E402
import webp     # noqa: E402


def write(top, name, data):
    path = os.path.join(top, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(data)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    top = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(here)
    count = 0
    for folder, module, ending in (("jpeg", jpeg, "jpg"), ("png", png, "png"),
                                   ("gif", gif, "gif"), ("webp", webp, "webp")):
        for name, data in module.images():
            write(top, "%s/%s.%s" % (folder, name, ending), data)
            count += 1
    for folder, module in (("other", other), ("bad", bad)):
        for name, data in module.files():
            write(top, "%s/%s" % (folder, name), data)
            count += 1
    print("%d images" % count)


main()
