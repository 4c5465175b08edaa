#!/usr/bin/env python3
"""Writes convolutions.txt beside it: values and gradients of PyTorch's convolutional layers, in float64.

    make_convolutions.py        needs torch (any version from 2.0 on), without a GPU

The form of a case is that of make_losses.py. All numbers are quarters of small integers: sums are exact.
"""

import itertools
import pathlib

import torch
import torch.nn.functional as F

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

TRANSPOSED = [
    case("line", "ConvTranspose1d", (2, 2, 4), 2, 3, 3, stride=2, padding=1, output_padding=1),
    case("line_of_long_strides", "ConvTranspose1d", (2, 3), 2, 2, 2, stride=4, bias=False),
    case("image", "ConvTranspose2d", (2, 2, 3, 4), 2, 3, (3, 2)),
    case("options_for_each_axis", "ConvTranspose2d", (1, 2, 3, 4), 2, 2, 3, stride=(2, 1), padding=(1, 3), output_padding=(1, 0), dilation=(1, 2)),
    case("padding_beyond_the_kernel", "ConvTranspose2d", (1, 1, 4, 5), 1, 2, (1, 2), padding=(1, 2)),
    case("groups", "ConvTranspose2d", (1, 4, 3, 2), 4, 6, 3, stride=2, groups=2),
    case("one_element", "ConvTranspose2d", (2, 1, 1, 1), 1, 1, 3, stride=2, padding=1),
    case("volume_in_groups", "ConvTranspose3d", (1, 2, 2, 2, 3), 2, 2, 2, stride=2, groups=2),
]


def pool(name, kind, sizes, *arguments, tolerance=None, x=None, **options):
    x = (quarters(*sizes) if x is None else x).requires_grad_()
    value = getattr(torch.nn, kind)(*arguments, **options)(x)
    value, *indices = value if isinstance(value, tuple) else (value,)
    (value * (1 + 0.5 * torch.arange(value.numel(), dtype=torch.float64)).reshape(value.shape)).sum().backward()
    head = f"case {name}" + (f" tolerance {tolerance}" if tolerance else "")
    lines = [head, line("x", x), line("value", value), line("grad x", x.grad)]
    return "\n".join(lines + [line("indices", i) for i in indices]) + "\n"


POOLINGS = [
    pool("max_line", "MaxPool1d", (2, 2, 11), 2, stride=3),
    pool("max_image", "MaxPool2d", (2, 2, 5, 4), 2, return_indices=True),
    pool("max_for_each_axis", "MaxPool2d", (1, 2, 6, 7), (3, 2), stride=(2, 1), padding=(1, 0), dilation=(1, 2), return_indices=True),
    pool("max_volume", "MaxPool3d", (1, 1, 4, 3, 5), (2, 3, 2), return_indices=True),
    pool("max_one", "MaxPool2d", (2, 1, 1, 1), 3, stride=1, padding=1),
    pool("avg_line", "AvgPool1d", (1, 2, 7), 4, stride=2, padding=1),
    pool("avg_image", "AvgPool2d", (1, 2, 5, 6), (2, 4), stride=(1, 2), padding=(1, 2), tolerance=1e-13),
    pool("avg_without_padding", "AvgPool2d", (1, 2, 5, 6), (2, 4), padding=(1, 2), count_include_pad=False, tolerance=1e-13),
    pool("avg_volume", "AvgPool3d", (1, 1, 4, 2, 4), 2),
    pool("adaptive_avg_line", "AdaptiveAvgPool1d", (2, 2, 7), 3, tolerance=1e-13),
    pool("adaptive_avg_image", "AdaptiveAvgPool2d", (1, 2, 5, 4), (3, 2), tolerance=1e-13),
    pool("adaptive_avg_larger", "AdaptiveAvgPool2d", (1, 1, 2, 3), (3, 5), tolerance=1e-13),
    pool("adaptive_avg_volume", "AdaptiveAvgPool3d", (1, 1, 3, 2, 3), (2, 1, 2), tolerance=1e-13),
    pool("adaptive_max_line", "AdaptiveMaxPool1d", (2, 2, 7), 3, return_indices=True),
    pool("adaptive_max_image", "AdaptiveMaxPool2d", (1, 2, 5, 4), (3, 3), return_indices=True),
    pool("adaptive_max_volume", "AdaptiveMaxPool3d", (1, 1, 3, 4, 3), (2, 3, 2), return_indices=True),
]


def function(name, f, *sizes, tolerance=None):
    x = quarters(*sizes).requires_grad_()
    value = f(x)
    (value * (1 + 0.5 * torch.arange(value.numel(), dtype=torch.float64)).reshape(value.shape)).sum().backward()
    head = f"case {name}" + (f" tolerance {tolerance}" if tolerance else "")
    return "\n".join([head, line("x", x), line("value", value), line("grad x", x.grad)]) + "\n"


def resize(name, *sizes, tolerance=1e-12, **options):
    return function(name, lambda x: F.interpolate(x, **options), *sizes, tolerance=tolerance)


IMAGES = [
    resize("nearest", 1, 2, 3, 5, size=(7, 3)),
    resize("nearest_twice", 1, 2, 2, 3, scale_factor=(2, 3)),
    resize("nearest_exact", 1, 1, 3, 5, size=(7, 3), mode="nearest-exact"),
    resize("linear", 2, 1, 5, size=8, mode="linear"),
    resize("bilinear", 1, 2, 3, 5, size=(7, 3), mode="bilinear"),
    resize("bilinear_twice", 1, 1, 2, 3, scale_factor=2, mode="bilinear"),
    resize("bilinear_aligned", 1, 1, 3, 4, size=(5, 1), mode="bilinear", align_corners=True),
    resize("bilinear_of_one", 1, 1, 1, 1, size=(2, 3), mode="bilinear"),
    resize("bicubic", 1, 1, 4, 5, size=(7, 3), mode="bicubic"),
    resize("bicubic_aligned", 1, 1, 4, 3, size=(3, 5), mode="bicubic", align_corners=True),
    resize("trilinear", 1, 1, 2, 2, 3, size=(3, 4, 2), mode="trilinear"),
    resize("area", 1, 1, 5, 4, size=(3, 2), mode="area"),
    function("pixel_shuffle", lambda x: F.pixel_shuffle(x, 2), 2, 4, 2, 3),
    function("pixel_unshuffle", lambda x: F.pixel_unshuffle(x, 3), 1, 2, 6, 3),
    function("unfold", lambda x: F.unfold(x, (2, 3)), 2, 2, 4, 5),
    function("unfold_with_options", lambda x: F.unfold(x, 2, dilation=(1, 2), padding=(1, 0), stride=(2, 1)), 1, 2, 4, 5),
    function("fold", lambda x: F.fold(x, (4, 5), (2, 3)), 1, 12, 9),
    function("fold_with_options", lambda x: F.fold(x, (4, 5), 2, dilation=(1, 2), padding=(1, 0), stride=(2, 1)), 1, 8, 9),
]


# After the others, whose numbers stay.
POOLINGS += [
    pool("max_ceil", "MaxPool2d", (2, 2, 6, 7), 3, stride=2, padding=1, ceil_mode=True, return_indices=True),
    pool("max_ceil_of_long_strides", "MaxPool1d", (1, 2, 7), 2, stride=3, padding=1, ceil_mode=True),
    pool("avg_ceil", "AvgPool2d", (1, 2, 6, 5), (3, 2), stride=2, padding=1, ceil_mode=True, tolerance=1e-13),
    pool("avg_ceil_without_padding", "AvgPool2d", (1, 2, 6, 5), (3, 2), stride=2, padding=1, ceil_mode=True, count_include_pad=False, tolerance=1e-13),
]


def sample(name, *sizes, grid=(2, 3, 4, 2), **options):
    """Places within the image and beyond it, none on an edge of an element."""
    x = quarters(*sizes).requires_grad_()
    places = (1.6 * torch.sin(1.7 * torch.arange(torch.Size(grid).numel(), dtype=torch.float64))).reshape(grid)
    places.requires_grad_()
    value = F.grid_sample(x, places, **options)
    (value * (1 + 0.5 * torch.arange(value.numel(), dtype=torch.float64)).reshape(value.shape)).sum().backward()
    arrays = [("x", x), ("grid", places), ("value", value), ("grad x", x.grad), ("grad grid", places.grad)]
    return "\n".join([f"case {name} tolerance 1e-12"] + [line(key, array) for key, array in arrays]) + "\n"


def affine(name, align_corners):
    return function(name, lambda x: F.affine_grid(x, (2, 1, 3, 4), align_corners=align_corners), 2, 2, 3, tolerance=1e-13)


IMAGES += [
    sample(f"{mode}_{padding}{'_aligned' if aligned else ''}", 2, 2, 3, 5, mode=mode, padding_mode=padding, align_corners=aligned)
    for mode in ("bilinear", "nearest")
    for padding in ("zeros", "border", "reflection")
    for aligned in (False, True)
] + [
    sample("bilinear_reflection_of_one", 1, 1, 1, 1, grid=(1, 2, 2, 2), padding_mode="reflection", align_corners=True),
    affine("affine_grid", False),
    affine("affine_grid_aligned", True),
]


def write(name, cases):
    head = f"# Written by make_convolutions.py with PyTorch {torch.__version__.split('+')[0]}.\n"
    (HERE / name).write_text(head + "".join(cases))


if __name__ == "__main__":
    write("convolutions.txt", CONVOLUTIONS)
    write("poolings.txt", POOLINGS)
    write("images.txt", IMAGES)
    write("transposed_convolutions.txt", TRANSPOSED)
