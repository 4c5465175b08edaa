#!/usr/bin/env python3
"""Writes convolutions.txt beside it: values and gradients of PyTorch's convolutional layers, in float64.

    make_convolutions.py        needs torch (any version from 2.0 on), without a GPU

The form of a case is that of make_losses.py. All numbers are quarters of small integers: sums are exact.
"""

import itertools
import pathlib

import torch

from make_losses import line

HERE = pathlib.Path(__file__).resolve().parent
numbers = itertools.cycle([3, -1, 4, 1, -5, 2, 0, -3, 5, -2, 6, -4, 1, 2, -6, 0, 3])


def quarters(*sizes):
    count = torch.Size(sizes).numel()
    return torch.tensor([next(numbers) / 4 for _ in range(count)], dtype=torch.float64).reshape(sizes)


def case(name, kind, sizes, *arguments, **options):
    layer = getattr(torch.nn, kind)(*arguments, **options, dtype=torch.float64)
    x = quarters(*sizes).requires_grad_()
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.copy_(quarters(*parameter.shape))
    value = layer(x)
    (value * (1 + 0.5 * torch.arange(value.numel(), dtype=torch.float64)).reshape(value.shape)).sum().backward()
    lines = [f"case {name}", line("x", x), line("value", value), line("grad x", x.grad)]
    for n, parameter in layer.named_parameters():
        lines += [line(n, parameter), line(f"grad {n}", parameter.grad)]
    return "\n".join(lines) + "\n"


CONVOLUTIONS = [
    case("line_of_long_strides", "Conv1d", (2, 2, 13), 2, 3, 3, stride=5),
    case("line_without_batch", "Conv1d", (2, 4), 2, 2, 4, padding=1, bias=False),
    case("oblong", "Conv2d", (2, 3, 5, 7), 3, 2, (3, 5)),
    case("options_for_each_axis", "Conv2d", (1, 2, 7, 6), 2, 3, 3, stride=(2, 1), padding=(1, 2), dilation=(1, 2)),
    case("same", "Conv2d", (1, 2, 4, 5), 2, 2, (2, 4), padding="same", dilation=(1, 2)),
    case("one_element", "Conv2d", (2, 2, 1, 1), 2, 2, 3, padding=1),
    case("groups", "Conv2d", (2, 4, 4, 5), 4, 6, 3, stride=2, padding=1, groups=2),
    case("depthwise", "Conv2d", (1, 3, 4, 4), 3, 6, (2, 3), groups=3, bias=False),
    case("volume", "Conv3d", (1, 2, 3, 4, 3), 2, 2, 2, stride=(1, 2, 1), padding=1),
    case("volume_in_groups", "Conv3d", (1, 4, 3, 3, 2), 4, 4, (2, 3, 1), groups=2),
]

if __name__ == "__main__":
    text = f"# Written by make_convolutions.py with PyTorch {torch.__version__.split('+')[0]}.\n"
    (HERE / "convolutions.txt").write_text(text + "".join(CONVOLUTIONS))
