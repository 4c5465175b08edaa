"""Good models of ONNX, from which the target of tests/fuzz starts: onnx_seeds.py FOLDER"""

import pathlib
import struct
import sys


def varint(value):
    value %= 1 << 64
    text = b""
    while value >= 0x80:
        text += bytes([value & 0x7F | 0x80])
        value >>= 7
    return text + bytes([value])


def field(number, value):
    """A field of a message: an integer, a float or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(*fields):
    """Of pairs of a number and a value."""
    return b"".join(field(number, value) for number, value in fields)


def entry(key, text):
    return message((1, key), (2, text))


def tensor(dtype, *fields):
    return message((1, 2), (2, dtype), (8, "w"), *fields)


def tensors():
    """Two elements of every kind of field."""
    yield tensor(1, (9, bytes(8)))
    yield tensor(1, (4, bytes(8)))
    yield tensor(11, (10, bytes(16)))
    yield tensor(8, (6, "a"), (6, "b"))
    for dtype in [2, 3, 5, 6, 9, 10]:
        yield tensor(dtype, (5, b"\1\0"))
    for dtype in [21, 22, 23, 25]:
        yield tensor(dtype, (5, b"\1"))
    yield tensor(27, (5, b"\1\2"))
    yield tensor(7, (7, 1), (7, -1))
    yield tensor(13, (11, varint(-1) + varint(1)))
    place = [(13, entry("location", "d")), (13, entry("offset", "8")), (13, entry("length", "8"))]
    yield tensor(1, *place, (14, 1))


def attributes():
    graph = message((1, message((2, "z"), (4, "Op"))), (2, "inner"))
    values = [(1, 2, 0.5), (2, 3, -1), (3, 4, "s"), (4, 5, tensor(1, (9, bytes(8)))), (5, 6, graph)]
    for kind, number, value in values:
        yield message((1, "a"), (number, value), (20, kind))
        yield message((1, "a"), (number + 5, value), (number + 5, value), (20, kind + 5))
    yield message((1, "a"), (20, 1), (21, "b"))


def value(name):
    shape = message((1, message((1, 2))), (1, message((2, "n"))), (1, b""))
    return message((1, name), (2, message((1, message((1, 1), (2, shape))))))


def model(*fields):
    opset = message((1, ""), (2, 17))
    return message((1, 8), (2, "tenon"), (8, opset), (14, entry("k", "v")), *fields)


def models():
    for one in tensors():
        yield model((7, message((2, "g"), (5, one))))
    for one in attributes():
        node = message((1, "x"), (2, "y"), (4, "Op"), (5, one), (7, ""))
        yield model((7, message((1, node), (11, value("x")), (12, value("y")))))
    node = message((1, "a"), (2, "b"), (4, "Op"))
    opset = message((1, ""), (2, 17))
    names = message((1, "F"), (4, "a"), (5, "b"), (6, "k"))
    body = names + message((7, node), (9, opset), (10, "own"))
    yield model((7, message((2, "g"))), (25, body))


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for i, contents in enumerate(models()):
        (folder / str(i)).write_bytes(contents)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
