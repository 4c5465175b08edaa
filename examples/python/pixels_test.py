"""Calls the functions of pixels.cpp with arrays of NumPy, and of PyTorch and JAX if installed."""

import numpy as np

import pixels


def check_numpy():
    images = np.arange(2 * 4 * 4, dtype=np.uint8).reshape(2, 4, 4)
    centred = pixels.centred(images)
    assert centred.dtype == np.float32 and centred.shape == (2, 4, 4)
    expected = images / np.float32(127.5) - 1
    expected -= expected.mean(axis=(1, 2), keepdims=True)
    assert np.allclose(centred, expected, atol=1e-6)
    strided = images[:, ::2, ::-1]
    assert np.array_equal(pixels.centred(strided), pixels.centred(strided.copy()))

    scores = np.ones((3, 10), np.float32)
    assert pixels.address(scores) == scores.ctypes.data
    pixels.scale(scores, 2)  # in place
    assert (scores == 2).all()
    assert np.allclose(pixels.probabilities(scores).sum(axis=1), 1)


def check_errors():
    try:
        pixels.probabilities(np.ones((3, 7), np.float32))
    except ValueError as error:
        assert str(error) == (
            "tenon::from_dlpack: 'class': expected 10, got 7 (\"batch class=10\")"
        ), error
    else:
        raise AssertionError("a wrong shape is accepted")
    try:
        pixels.probabilities(np.ones((3, 10)))
    except ValueError as error:
        assert "'batch class=10': expected float32, got float64" in str(error), error
    else:
        raise AssertionError("a wrong dtype is accepted")
    constant = np.ones((3, 10), np.float32)
    constant.flags.writeable = False
    assert pixels.address(constant) == constant.ctypes.data
    try:
        pixels.scale(constant, 2)
    except TypeError:
        pass  # of nanobind
    else:
        raise AssertionError("a read-only array is written")


def check_torch():
    import torch

    scores = torch.ones(3, 10)
    assert pixels.address(scores) == scores.data_ptr()
    pixels.scale(scores, 3)
    assert bool((scores == 3).all())
    result = torch.from_numpy(pixels.probabilities(scores))
    assert torch.allclose(result.sum(dim=1), torch.ones(3))
    assert pixels.address(result) == result.data_ptr()


def check_jax():
    import jax.numpy as jnp

    scores = jnp.ones((3, 10))
    assert pixels.address(scores) == scores.unsafe_buffer_pointer()
    assert jnp.allclose(pixels.probabilities(scores).sum(axis=1), 1)


check_numpy()
check_errors()
for check in (check_torch, check_jax):
    try:
        check()
    except ModuleNotFoundError as missing:
        print(f"skipped: {missing}")
print("passed")
