#!/usr/bin/env python3
"""Writes fft.txt beside it: transforms by NumPy, those of frames by their definition, compared with SciPy, and their
gradients by JAX.

    make_fft.py        needs numpy, scipy and jax (0.4 or newer)

A complex number is two numbers. The gradient is that of the real part of sum(w * f(x)) with the weights
w[k] = (1 + k) - i/(1 + k) over the elements in order.
"""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np
import scipy.signal

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


def stft(x, window, hop, center=True, mode="reflect", normalized=False):
    """Along axis 1 of x, by the definition; frequencies on axis 1, frames on axis 2."""
    n = window.size
    before = n // 2 if center else 0
    x = jnp.pad(x, [(0, 0), (before, before), (0, 0)], mode=mode)
    starts = range(0, x.shape[1] - n + 1, hop)
    frames = jnp.stack([x[:, s : s + n] * window[:, None] for s in starts], axis=2)
    transform = jnp.fft.fft if jnp.iscomplexobj(x) else jnp.fft.rfft
    return transform(frames, axis=1, norm="ortho" if normalized else None)


def istft(z, window, hop, center=True, normalized=False):
    n, count = window.size, z.shape[2]
    frames = jnp.fft.irfft(z, n, axis=1, norm="ortho" if normalized else None) * window[:, None, None]
    signal, squares = jnp.zeros((z.shape[0], (count - 1) * hop + n, z.shape[3])), jnp.zeros((count - 1) * hop + n)
    for i in range(count):
        signal = signal.at[:, i * hop : i * hop + n].add(frames[:, :, i])
        squares = squares.at[i * hop : i * hop + n].add(window**2)
    kept = slice(n // 2, signal.shape[1] - n // 2) if center else slice(None)
    return signal[:, kept] / squares[kept, None]


def frames_case(name, transform, x, window, hop, **options):
    f = lambda z, w: transform(z, w, hop, **options)
    value = f(jnp.asarray(x), jnp.asarray(window))
    k = 1 + np.arange(value.size).reshape(value.shape)
    loss = lambda z, w: jnp.real(jnp.sum((k - 1j / k) * f(z, w)))
    by_x, by_window = jax.grad(loss, (0, 1))(jnp.asarray(x), jnp.asarray(window))
    arrays = {"x": x, "window": window, "value": value, "grad x": by_x, "grad window": by_window}
    return "\n".join([f"case {name}"] + [line(key, array) for key, array in arrays.items()])


def compare_with_scipy():
    x, window = quarters(2, 24, 1), scipy.signal.get_window("hann", 8)
    options = dict(window=window, nperseg=8, noverlap=5)
    _, _, z = scipy.signal.stft(x[:, :, 0], boundary="even", padded=False, **options)
    assert np.allclose(stft(x, window, 3)[..., 0], z * window.sum(), atol=1e-14)
    _, signal = scipy.signal.istft(z, **options)
    assert np.allclose(istft(z[..., None] * window.sum(), window, 3)[..., 0], signal, atol=1e-14)


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
    frames_case("stft", stft, quarters(2, 13, 2), scipy.signal.get_window("hann", 8), 3),
    frames_case("stft_odd", stft, quarters(1, 12, 1), quarters(5), 4, mode="constant", normalized=True),
    frames_case("stft_left", stft, quarters(2, 11, 1), scipy.signal.get_window("hamming", 4), 2, center=False),
    frames_case("stft_complex", stft, number(1, 9, 2), scipy.signal.get_window("hamming", 6), 2),
    frames_case("istft", istft, number(2, 5, 4, 2), scipy.signal.get_window("hann", 8), 3),
    frames_case("istft_left", istft, number(1, 3, 3, 1), 1 + quarters(5) / 8, 2, center=False, normalized=True),
]
compare_with_scipy()
text = [f"# Written by make_fft.py with NumPy {np.__version__} and JAX {jax.__version__}."] + CASES
(pathlib.Path(__file__).resolve().parent / "fft.txt").write_text("\n".join(text) + "\n")
