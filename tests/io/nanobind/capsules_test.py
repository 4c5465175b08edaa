"""Capsules of Tenon in NumPy, PyTorch and JAX, and theirs in Tenon: one address, freed once."""

import gc
import importlib
import weakref

import numpy as np

import capsules

NUMPY_TYPES = ["float32", "float64", "float16", "bool", "int32", "uint8", "complex64"]


def numbers(dtype):
    return (np.arange(200).reshape(20, 10) % 7).astype(dtype)


def exporter(dtype, writable=False):
    return getattr(capsules, f"Exporter_{dtype}")(numbers(dtype), writable)


def address_in_tenon(array, dtype):
    return getattr(capsules, f"address_{dtype}")(array)


def check_numpy():
    for dtype in NUMPY_TYPES:
        ours = exporter(dtype)
        array = np.from_dlpack(ours)
        assert array.ctypes.data == ours.address(), dtype
        assert not array.flags.writeable and array.dtype == dtype
        assert np.array_equal(array, numbers(dtype))
        theirs = numbers(dtype)
        assert address_in_tenon(theirs, dtype) == theirs.ctypes.data, dtype
        copied = getattr(capsules, f"copied_{dtype}")(theirs[::-1, ::2])
        assert np.array_equal(copied, theirs[::-1, ::2]) and copied.dtype == dtype
        assert copied.flags.writeable  # nobody else has it
    try:
        address_in_tenon(np.zeros((2, 2)), "float32")
    except ValueError as error:
        assert "tenon::from_dlpack: 'row column': expected float32, got float64" == str(error)
    else:
        raise AssertionError("a wrong dtype is accepted")


def check_writer():
    ours = exporter("float32", writable=True)
    array = np.from_dlpack(ours)
    array[0, 0] = 9
    again = np.from_dlpack(ours)
    assert again[0, 0] == 9 and array.ctypes.data == again.ctypes.data


def check_lifetimes():
    before = capsules.bytes_in_use()
    ours = exporter("float32")
    address = ours.address()
    array = np.from_dlpack(ours)
    unread = ours.__dlpack__(max_version=(1, 1)), ours.__dlpack__()
    del ours, unread
    gc.collect()
    assert array.ctypes.data == address and np.array_equal(array, numbers("float32"))
    assert capsules.bytes_in_use() > before
    del array
    gc.collect()
    assert capsules.bytes_in_use() == before

    for keep in (capsules.keep, capsules.keep_array):
        theirs = numbers("float32")
        base = weakref.ref(theirs)
        keep(theirs)
        del theirs
        gc.collect()
        assert base() is not None  # the view owns it
        capsules.drop()
        gc.collect()
        assert base() is None


def check_torch(torch):
    for dtype in NUMPY_TYPES + ["bfloat16"]:
        own = torch.arange(200).reshape(20, 10).remainder(7).to(getattr(torch, dtype))
        assert address_in_tenon(own, dtype) == own.data_ptr(), dtype
        ours = getattr(capsules, f"Exporter_{dtype}")(own, False)
        tensor = torch.from_dlpack(ours)
        assert tensor.dtype == own.dtype and torch.equal(tensor, own), dtype
        copied = torch.from_dlpack(getattr(capsules, f"copied_{dtype}")(own.T))
        assert torch.equal(copied, own.T), dtype
    # Of a struct without flags, and of one whose tensor may be written.
    shared = exporter("float32", writable=True)
    assert torch.from_dlpack(shared.__dlpack__()).data_ptr() == shared.address()
    assert torch.from_dlpack(shared).data_ptr() == shared.address()


def check_jax(jax):
    jnp = jax.numpy
    for dtype in ["float32", "float16", "bfloat16", "bool", "int32", "uint8", "complex64"]:
        own = jnp.asarray(numbers("float32")).astype(dtype)
        assert address_in_tenon(own, dtype) == own.unsafe_buffer_pointer(), dtype
        ours = getattr(capsules, f"Exporter_{dtype}")(own, True)
        array = jax.dlpack.from_dlpack(ours)
        assert array.unsafe_buffer_pointer() == ours.address(), dtype
        assert array.dtype == own.dtype and bool((array == own).all()), dtype


check_numpy()
check_writer()
check_lifetimes()
for name, check in (("torch", check_torch), ("jax", check_jax)):
    try:
        library = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        print(f"skipped: {missing}")
        continue
    check(library)
    print(f"passed: {name}")
print("passed")
