"""Runs encode.c, built when it is first needed."""
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
_folder = tempfile.TemporaryDirectory()
_program = os.path.join(_folder.name, "encode")


def build():
    libraries = subprocess.run(["pkg-config", "--cflags", "--libs", "libjpeg", "libwebp"],
                               check=True, capture_output=True, text=True).stdout.split()
    subprocess.run(["cc", "-O1", "-o", _program, os.path.join(HERE, "encode.c")] +
                   libraries, check=True)


def encode(kind, width, height, components, pixels, **options):
    if not os.path.exists(_program):
        build()
    words = ["%s=%s" % item for item in options.items()]
    return subprocess.run([_program, kind, str(width), str(height), str(components)] +
                          words, input=pixels, check=True, capture_output=True).stdout
