"""Writes tests/core/float8_table.hpp with ml_dtypes (pip install ml_dtypes):
python3 tests/core/float8_reference.py"""

import pathlib

import ml_dtypes
import numpy

HEAD = """#pragma once

// Written by tests/core/float8_reference.py with ml_dtypes {version}.

#include <array>
#include <cstdint>

namespace float8_table {{
"""


def values(dtype):
    """The bits of the 256 numbers as floats; NaN as the quiet one of its sign."""
    small = numpy.arange(256, dtype=numpy.uint8)
    wide = small.view(dtype).astype(numpy.float32)
    bits = wide.view(numpy.uint32)
    sign = (small.astype(numpy.uint32) & 0x80) << 24
    return numpy.where(numpy.isnan(wide), sign | 0x7FC00000, bits)


def checksum(dtype):
    """FNV-1a of the conversions of every 4099th float, by its bits."""
    bits = numpy.arange(0, 2**32, 4099, dtype=numpy.uint64).astype(numpy.uint32)
    with numpy.errstate(all="ignore"):
        small = bits.view(numpy.float32).astype(dtype).view(numpy.uint8)
    total = 0xCBF29CE484222325
    for byte in small.tolist():
        total = (total ^ byte) * 0x100000001B3 % 2**64
    return total


text = HEAD.format(version=ml_dtypes.__version__)
for name in ("float8_e4m3fn", "float8_e5m2"):
    dtype = getattr(ml_dtypes, name)
    text += f"\ninline constexpr std::array<std::uint32_t, 256> values_of_{name}{{\n"
    words = [f"0x{int(bits):08x}u," for bits in values(dtype)]
    text += "".join("    " + " ".join(words[i : i + 7]) + "\n" for i in range(0, 256, 7))
    text += "};\n"
    text += f"inline constexpr std::uint64_t checksum_of_{name} = 0x{checksum(dtype):016x}u;\n"
text += "\n}  // namespace float8_table\n"
pathlib.Path(__file__).with_name("float8_table.hpp").write_text(text)
