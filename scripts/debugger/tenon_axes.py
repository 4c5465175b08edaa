"""Specs and shape rules: what include/tenon/core/ computes, for the printers of the debugger.

A shape is a list of axes. Unlike the library's, an axis also has its size at run time.
"""

from __future__ import annotations

import dataclasses
import re

BOUNDS = re.compile(r"(\d*)\.\.(\d*)")
NAME = re.compile(r"[A-Za-z]\w*")


@dataclasses.dataclass(frozen=True)
class Axis:
    name: str = ""
    expression: str = ""
    size: int | None = None  # the static size
    lower: int = 0
    upper: int | None = None
    extent: int | None = None  # the size at run time

    @property
    def text(self):
        """The axis as in a canonical spec."""
        if self.size is not None:
            return f"{self.name}={self.size}" if self.name else str(self.size)
        if not self.name:
            return self.expression or "_"
        if self.lower == 0 and self.upper is None:
            return self.name
        upper = "" if self.upper is None else self.upper
        return f"{self.name}={self.lower or ''}..{upper}"

    def with_extent(self, extent):
        return dataclasses.replace(self, extent=extent)


def sized(size, name=""):
    return Axis(name=name, size=size, extent=size)


def read_axis(word):
    """An axis of a canonical spec: 28, batch, batch=32, batch=1..64, _, n+1."""
    if word.isdigit():
        return sized(int(word))
    name, _, size = word.partition("=")
    if size.isdigit():
        return sized(int(size), name)
    bounds = BOUNDS.fullmatch(size)
    if bounds:
        upper = int(bounds[2]) if bounds[2] else None
        return Axis(name=name, lower=int(bounds[1] or 0), upper=upper)
    if NAME.fullmatch(word):
        return Axis(name=word)
    return Axis(expression="" if word == "_" else word)


def read_spec(text):
    return [read_axis(word) for word in text.split()]


def spec(shape):
    return " ".join(axis.text for axis in shape)


def with_run_time_sizes(shape, sizes):
    """The shape with the sizes of its run-time axes, in order; None if their number differs."""
    left = list(sizes)
    if len(left) != sum(axis.size is None for axis in shape):
        return None
    return [axis if axis.size is not None else axis.with_extent(left.pop(0)) for axis in shape]


def simpler(a, b):
    """Of two expressions the one that the library keeps."""
    return min((text for text in (a, b) if text), key=lambda text: (len(text), text), default="")


def merge(a, b):
    """The axis of two that agree (core/rules/agree.hpp)."""
    name = a.name or b.name
    extent = a.extent if a.extent is not None else b.extent
    size = a.size if a.size is not None else b.size
    if size is not None:
        return Axis(name=name, size=size, extent=extent)
    if not name:
        return Axis(expression=simpler(a.expression, b.expression), extent=extent)
    lower = max(a.lower, b.lower)
    upper = min((limit for limit in (a.upper, b.upper) if limit is not None), default=None)
    if lower == upper:
        return sized(lower, name)
    return Axis(name=name, lower=lower, upper=upper, extent=extent)


def joined(a, b):
    """The axis of two that are broadcast (core/rules/align.hpp)."""
    if a.size == 1 and b.size == 1:
        return merge(a, b) if not a.name or not b.name or a.name == b.name else sized(1)
    if a.size == 1:
        return b
    return a if b.size == 1 else merge(a, b)


def partners_by_name(small, large):
    """For each axis of the smaller shape the axis of that name in the larger, in order, or None."""
    found, at = [], 0
    for axis in small:
        while at < len(large) and large[at].name != axis.name:
            at += 1
        if not axis.name or at == len(large):
            return None
        found.append(at)
        at += 1
    return found


def broadcast_pair(large, small):
    partners = partners_by_name(small, large)
    if partners is None:
        partners = range(len(large) - len(small), len(large))
    result = list(large)
    for axis, at in zip(small, partners):
        result[at] = joined(large[at], axis)
    return result


def broadcast(shapes):
    """The shape of an elementwise operation (core/rules/broadcast.hpp)."""
    by_rank = sorted(shapes, key=len, reverse=True)
    result = by_rank[0]
    for shape in by_rank[1:]:
        result = broadcast_pair(result, shape)
    return result


def reduced(shape, bits, keeps):
    """The shape without the axes of a bit set, or with size 1 in their place."""
    result = []
    for i, axis in enumerate(shape):
        if not bits >> i & 1:
            result.append(axis)
        elif keeps:
            result.append(sized(1, axis.name))
    return result


def matmul(a, b):
    """The shape of NumPy's matmul (core/rules/contraction.hpp)."""
    rows = a[-2:-1] if len(a) > 1 else []
    columns = b[-1:] if len(b) > 1 else []
    return broadcast([a[:-2], b[:-2]]) + rows + columns


def einsum(pattern, a, b):
    """The shape of an einsum of names; None for other patterns."""
    operands, _, result = pattern.partition("->")
    left, _, right = operands.partition(",")
    words = left.split() + right.split()
    if len(left.split()) != len(a) or len(right.split()) != len(b):
        return None
    axes = {}
    for word, axis in zip(words, a + b):
        bare = dataclasses.replace(axis, name=word)
        axes[word] = merge(axes[word], bare) if word in axes else bare
    if not all(NAME.fullmatch(word) and word in axes for word in words + result.split()):
        return None
    return [axes[word] for word in result.split()]
