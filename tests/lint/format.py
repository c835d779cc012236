#!/usr/bin/env python3
"""format.py FILE... - spacing as .clang-format has it, tabs, no stray blanks

A line that clang-format breaks elsewhere is not judged: the layout of tables and
of long conditions is made by hand. Of the others, the blanks within the line
must be clang-format's, but for those that line up comments and macros.
"""
import re
import subprocess
import sys

WIDEST = 100            # the style says "about 80"


def bare(line):
    return re.sub(r"\s+", "", line)


def spacing(line):
    """The line without what may be lined up by hand."""
    line = re.sub(r"\s+(?=/\*|\\$)", " ", line.strip())
    # Two habits of clang-format 14 that nobody has to share.
    line = line.replace("; )", ";)").replace(" (*", "(*")
    return re.sub(r"\t+| {2,}", " ", line)


def faults(path):
    text = open(path, encoding="utf-8").read()
    lines = text.split("\n")
    formatted = subprocess.run(["clang-format", path], check=True, capture_output=True,
                               text=True).stdout.split("\n")
    right = {}
    for line in formatted:
        right.setdefault(bare(line), set()).add(spacing(line))
    in_comment = False
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield number, "blanks at the end"
        if re.match(r"\t* {8}", line):
            yield number, "eight spaces where a tab belongs"
        if len(line.expandtabs(8)) > WIDEST:
            yield number, "more than %d columns" % WIDEST
        starts = line.lstrip().startswith("/*")
        if not (in_comment or starts):
            wanted = right.get(bare(line))
            if wanted and line[:1] != "#" and spacing(line) not in wanted:
                yield number, "spacing; clang-format has: " + min(wanted)
        if in_comment or "/*" in line:
            in_comment = line.rfind("*/") < line.rfind("/*") or (in_comment and "*/" not in line)
    if not text.endswith("\n") or text.endswith("\n\n"):
        yield len(lines), "one newline at the end of the file"


def main():
    bad = 0
    for path in sys.argv[1:]:
        for number, what in faults(path):
            print("%s:%d: %s" % (path, number, what))
            bad = 1
    return bad


sys.exit(main())
