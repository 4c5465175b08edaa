"""The elements of a tensor as text, in nested brackets as NumPy prints them."""

import math
import struct

import gdb

EDGE = 3  # elements of an axis that are printed where the tensor has too many


def array(value):
    """The C array in a std::array."""
    return value[value.type.strip_typedefs().fields()[0]]


def length(array):
    """The number of elements of a C array."""
    return array.type.strip_typedefs().range()[1] + 1


def integers(value):
    """The elements of a std::array of integers."""
    inner = array(value)
    return [int(inner[i]) for i in range(length(inner))]


def bfloat16(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def bfloat16_bits(number):
    bits = struct.unpack("<I", struct.pack("<f", number))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def as_float32(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


def as_float16(number):
    return struct.unpack("<e", struct.pack("<e", number))[0]


ROUNDED = {
    "float": as_float32,
    "double": float,
    "tenon::float16": as_float16,
    "tenon::bfloat16": lambda number: bfloat16(bfloat16_bits(number)),
}


def is_shortest(digits, number, rounded):
    try:
        return rounded(float(digits)) == number
    except OverflowError:  # it is rounded up beyond the largest number of the dtype
        return False


def float_text(number, dtype, alone=False):
    """The fewest digits that identify the number among those of its dtype: 1., 0.1, 1e+20."""
    if not math.isfinite(number):
        return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
    rounded = ROUNDED.get(dtype, float)
    texts = (f"{number:.{precision}g}" for precision in range(1, 18))
    text = next((text for text in texts if is_shortest(text, number, rounded)), repr(number))
    if "e" in text or "." in text:
        return plain(text)
    return text + (".0" if alone else ".")


def plain(text):
    """Without an exponent where NumPy writes none: 120. instead of 1.2e+02."""
    number = float(text)
    if "e" not in text or not 1e-4 <= abs(number) < 1e16:
        return text
    digits = len(text.partition("e")[0].replace(".", "").lstrip("-"))
    places = max(digits - 1 - math.floor(math.log10(abs(number))), 0)
    text = f"{number:.{places}f}"
    return text if "." in text else text + "."


def complex_parts(value, dtype):
    """The real and the imaginary part of a std::complex."""
    part = gdb.lookup_type(dtype)
    address = value.address.cast(part.pointer())
    return float(address[0]), float(address[1])


def complex_text(value, dtype):
    real, imaginary = (float_text(part, dtype) for part in complex_parts(value, dtype))
    sign = "" if imaginary.startswith("-") else "+"
    return f"{real}{sign}{imaginary}j"


def half_text(value, dtype, alone):
    bits = int(value["bits"])
    number = bfloat16(bits)
    if dtype == "tenon::float16":
        number = struct.unpack("<e", struct.pack("<H", bits))[0]
    return float_text(number, dtype, alone)


def element_text(value, alone=False):
    """One element, of any dtype."""
    kind = value.type.strip_typedefs().unqualified()
    dtype = kind.name
    if dtype in ("tenon::float16", "tenon::bfloat16"):
        return half_text(value, dtype, alone)
    if dtype.startswith("std::") and "complex<" in dtype:
        return complex_text(value, str(kind.template_argument(0)))
    if kind.code == gdb.TYPE_CODE_BOOL:
        return "True" if value else "False"
    if kind.code == gdb.TYPE_CODE_FLT:
        return float_text(float(value), dtype, alone)
    if kind.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR):
        return str(int(value))
    return str(value)


class Brackets:
    """The text of `elements[offset]` over sizes and strides; at most as many elements as gdb's
    `set print elements` allows."""

    def __init__(self, elements, sizes, strides):
        self.elements, self.sizes, self.strides = elements, sizes, strides
        self.limit = gdb.parameter("print elements") or math.inf
        self.is_summary = math.prod(sizes) > self.limit
        self.printed = 0

    def text(self):
        if not self.sizes:
            return element_text(self.elements[0], alone=True)
        return self.axis(0, 0) if all(size > 0 for size in self.sizes) else "[]"

    def axis(self, axis, offset):
        size = self.sizes[axis]
        shown = min(size, EDGE) if self.is_summary else size
        parts = []
        for i in range(shown):
            if self.printed >= self.limit:
                break
            parts.append(self.part(axis + 1, offset + i * self.strides[axis]))
        return "[" + " ".join(parts + ["..."] * (len(parts) < size)) + "]"

    def part(self, axis, offset):
        if axis < len(self.sizes):
            return self.axis(axis, offset)
        self.printed += 1
        return element_text(self.elements[offset])


def row_major(sizes):
    return [math.prod(sizes[i + 1 :]) for i in range(len(sizes))]


def text(elements, sizes, strides=None):
    try:
        return Brackets(elements, sizes, row_major(sizes) if strides is None else strides).text()
    except gdb.MemoryError:
        return "<elements that cannot be read>"
