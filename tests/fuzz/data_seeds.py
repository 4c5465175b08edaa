"""Good files of data, from which the targets of tests/fuzz start."""

HEADER = b"name,note,x,n,kind,flag\n"


def csv():
    """The rows of the target: quotes, line ends, numbers, columns in another order."""
    yield HEADER
    yield HEADER + b"a,b,0.5,1,one,true\n,,,-2,two,0\n"
    yield HEADER.replace(b"\n", b"\r\n") + b'"a,""b""","",1e-3,7,one,False\r\n\r\n'
    yield b"\xef\xbb\xbfflag,n,kind,x,note,name,more\n1,32767,two,-inf,\"line 1\nline 2\",z,0\n"
    yield HEADER + "é,🌱,nan,-32768,one,TRUE".encode()


def idx():
    """The arrays of the target."""
    shapes = {
        0x08: ((2, 3, 4), 1),
        0x09: ((2, 2), 1),
        0x0B: ((3,), 2),
        0x0C: ((), 4),
        0x0D: ((2, 2), 4),
        0x0E: ((1, 1, 1, 1, 2, 1, 1, 1), 8),
    }
    for code, (shape, width) in shapes.items():
        count = 1
        for size in shape:
            count *= size
        sizes = b"".join(size.to_bytes(4, "big") for size in shape)
        yield bytes([0, 0, code, len(shape)]) + sizes + bytes(range(1, 1 + count * width))
