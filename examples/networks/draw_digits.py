#!/usr/bin/env python3
"""Draws digits and writes them as the four files of MNIST, which the programs beside it read.

    draw_digits.py FOLDER        1500 digits to learn, 500 others

Digits have random places and brightness, with noise. Needs Python alone. The files of
http://yann.lecun.com/exdb/mnist, decompressed, take the place of these.
"""

import pathlib
import random
import struct
import sys

SIZE = 28
GLYPH = 20, 15  # rows and columns
FONT = [  # 5 by 7 pixels
    " ### #   ##  ### # ###  ##   # ### ", "  #   ##    #    #    #    #   ### ",
    " ### #   #    #   #   #   #   #####", "#####   #   #     #     ##   # ### ",
    "   #   ##  # # #  # #####   #    # ", "######    ####     #    ##   # ### ",
    "  ##  #   #    #### #   ##   # ### ", "#####    #   #   #   #    #    #   ",
    " ### #   ##   # ### #   ##   # ### ", " ### #   ##   # ####    #   #  ##  ",
]


def strokes(digit):
    """The places of a glyph's dark pixels, scaled to GLYPH."""
    rows, columns = GLYPH
    for y in range(rows):
        for x in range(columns):
            if FONT[digit][y * 7 // rows * 5 + x * 5 // columns] == "#":
                yield y, x


def draw(digit, source):
    """The 784 bytes of an image."""
    image = [25 * abs(source.gauss(0, 1)) for _ in range(SIZE * SIZE)]
    top, left = source.randint(1, 7), source.randint(3, 10)
    light = source.uniform(120, 230)
    for y, x in STROKES[digit]:
        image[(y + top) * SIZE + x + left] += light
    return bytes(min(255, int(value)) for value in image)


def write_idx(path, sizes, data):
    """Unsigned bytes: two zeros, the code 8, the number of axes, their sizes, the elements."""
    path.write_bytes(struct.pack(f">HBB{len(sizes)}I", 0, 8, len(sizes), *sizes) + data)


def write_part(folder, part, count, source):
    labels = [source.randrange(10) for _ in range(count)]
    images = b"".join(draw(label, source) for label in labels)
    write_idx(folder / f"{part}-images-idx3-ubyte", (count, SIZE, SIZE), images)
    write_idx(folder / f"{part}-labels-idx1-ubyte", (count,), bytes(labels))


STROKES = [list(strokes(digit)) for digit in range(10)]

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    write_part(target, "train", 1500, random.Random(1))
    write_part(target, "t10k", 500, random.Random(2))
