#!/usr/bin/env python3
"""Writes fft.txt beside it: transforms by NumPy, and their gradients by JAX.

    make_fft.py        needs numpy and jax (0.4 or newer)

A complex number is two numbers. The gradient is that of the real part of sum(w * f(x)) with the weights
w[k] = (1 + k) - i/(1 + k) over the elements in order.
"""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
draw = np.random.default_rng(5)


def quarters(*sizes):
    return draw.integers(-16, 17, sizes) / 4


def pairs(array):
    array = np.asarray(array)
    return array if not np.iscomplexobj(array) else np.stack([array.real, array.imag], -1)


def line(key, array):
    array = pairs(array)
    numbers = " ".join(f"{number:.17g}" for number in array.ravel())
    return f"{key} {' '.join(map(str, array.shape))} : {numbers}"


def case(name, transform, x, **options):
    value = getattr(np.fft, transform)(x, **options)
    k = 1 + np.arange(value.size).reshape(value.shape)
    loss = lambda z: jnp.real(jnp.sum((k - 1j / k) * getattr(jnp.fft, transform)(z, **options)))
    return "\n".join([f"case {name}", line("x", x), line("value", value), line("grad x", jax.grad(loss)(jnp.asarray(x)))])


def number(*sizes):
    return quarters(*sizes) + 1j * quarters(*sizes)


CASES = [
    case("fft", "fft", number(3, 10, 2), axis=1),
    case("fft_ortho", "fft", number(3, 7, 1), axis=1, norm="ortho"),
    case("fft_forward", "fft", number(2, 37, 1), axis=1, norm="forward"),
    case("ifft", "ifft", number(3, 12, 2), axis=1),
    case("ifft_forward", "ifft", number(1, 5, 2), axis=1, norm="forward"),
    case("fft2", "fft2", number(4, 6, 2), axes=(0, 1)),
    case("fftn", "fftn", number(3, 4, 5)),
    case("ifftn", "ifftn", number(2, 3, 3)),
    case("rfft_even", "rfft", quarters(3, 12, 2), axis=1),
    case("rfft_odd", "rfft", quarters(3, 9, 2), axis=1, norm="ortho"),
    case("irfft_even", "irfft", number(3, 6, 2), axis=1),
    case("irfft_odd", "irfft", number(3, 6, 2), axis=1, n=11),
    case("irfft_shorter", "irfft", number(1, 6, 1), axis=1, n=7),
    case("irfft_longer", "irfft", number(1, 3, 2), axis=1, n=10),
    case("rfftn", "rfftn", quarters(2, 3, 6)),
    case("rfftn_axes", "rfftn", quarters(4, 5, 2), axes=(0, 1), norm="ortho"),
    case("irfftn", "irfftn", number(2, 3, 4)),
    case("irfftn_odd", "irfftn", number(4, 3, 2), axes=(0, 1), s=(4, 5), norm="forward"),
    case("hfft", "hfft", number(2, 5, 1), axis=1),
    case("hfft_odd", "hfft", number(1, 4, 2), axis=1, n=7, norm="forward"),
    case("ihfft", "ihfft", quarters(2, 7, 1), axis=1),
]
text = [f"# Written by make_fft.py with NumPy {np.__version__} and JAX {jax.__version__}."] + CASES
(pathlib.Path(__file__).resolve().parent / "fft.txt").write_text("\n".join(text) + "\n")
