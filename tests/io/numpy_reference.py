"""Files of Tenon and of NumPy, each read by the other.

Usage: numpy_reference.py TEST_PROGRAM        (the test program of this folder)
Exit status 77: skipped, as NumPy is missing. Files npz are left out if the program has no zlib,
and `unzip` if it is missing.
"""

import io
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import zipfile

try:
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}; pip install numpy")
    sys.exit(77)

DTYPES = [
    *("float16", "float32", "float64", "bfloat16", "bool", "complex64", "complex128"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
]
SIZES = [2, 3, 1, 4, 2, 3]
NUMBERS = numpy.random.default_rng(1)


def random_array(dtype, shape, order="C"):
    """Any bits. A bfloat16 is two bytes without a meaning."""
    if dtype == "bool":
        return numpy.asarray(NUMBERS.integers(0, 2, shape), "bool", order=order)
    kind = numpy.dtype("V2" if dtype == "bfloat16" else dtype)
    data = NUMBERS.bytes(int(numpy.prod(shape)) * kind.itemsize)
    return numpy.asarray(numpy.frombuffer(data, kind).reshape(shape), order=order)


def contents(array, version=None):
    """An npy file; of a bfloat16 as the package ml_dtypes makes it."""
    file = io.BytesIO()
    numpy.lib.format.write_array(file, array, version=version)
    return file.getvalue().replace(b"'|V2'", b"'<V2'")


def ask(program, folder, case):
    """Runs a test case of the program on the folder."""
    environment = {**os.environ, "TENON_REFERENCE": str(folder)}
    arguments = [program, "--no-skip", f"--test-case=for the reference: {case}"]
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout, f"no such test case: {case}"


def has_npz(program):
    listed = subprocess.run([program, "--no-skip", "--list-test-cases"], capture_output=True, text=True).stdout
    return "saved as npz" in listed


def arrays():
    """Every dtype, rank and order, empty ones too, and one that is read in several parts."""
    for dtype in DTYPES:
        for rank in range(7):
            for order in "CF":
                shapes = [SIZES[:rank]] + [SIZES[: rank - 1] + [0]] * (rank > 0)
                for shape in shapes:
                    name = f"{dtype}_{rank}_{order}_{'x'.join(map(str, shape))}"
                    yield name, random_array(dtype, shape, order)
    for order in "CF":
        yield f"float64_2_{order}_large", random_array("float64", [701, 403], order)
        yield f"uint8_3_{order}_large", random_array("uint8", [301, 103, 53], order)


def check_arrays(program, folder):
    """Tenon loads and maps what NumPy saves; what it saves has the bytes that NumPy writes."""
    for name in ("in", "loaded"):
        (folder / name).mkdir()
    wanted = {}
    for name, array in arrays():
        for version in [(1, 0), (2, 0), (3, 0)] if "float32" in name else [None]:
            file = f"{name}_{version[0]}" if version else name
            wanted[file] = array
            (folder / "in" / file).write_bytes(contents(array, version))
    ask(program, folder, "arrays of NumPy are loaded or mapped and saved")
    same_text = int(numpy.__version__.split(".")[0]) >= 2
    for name, array in wanted.items():
        found = (folder / "loaded" / name).read_bytes()
        read = numpy.load(io.BytesIO(found), allow_pickle=False)
        assert read.dtype == array.dtype and read.shape == array.shape, (name, read.dtype)
        assert read.tobytes() == array.tobytes(), name
        plain = numpy.array(array, order="C")
        assert not same_text or found == contents(plain), (name, found[:128])
    check_mapping(folder, wanted)
    print(f"{len(wanted)} npy files")


def check_mapping(folder, wanted):
    for name, array in wanted.items():
        if array.size > 0 and array.ndim > 0:
            mapped = numpy.load(folder / "loaded" / name, mmap_mode="r")
            assert mapped.tobytes() == array.tobytes(), name


def check_bfloat16(folder):
    try:
        import ml_dtypes
    except ImportError:
        return
    path = next((folder / "loaded").glob("bfloat16_2_C_2x3"))
    assert contents(numpy.load(path).view(ml_dtypes.bfloat16)) == path.read_bytes()


def tree():
    """The struct of the test program: names and arrays."""
    entries = {}
    for name in DTYPES:
        if name != "bool":
            group = "integers" if "int" in name else "floats"
            entries[f"{group}.{name}"] = random_array(name, [3, 5], NUMBERS.choice(["C", "F"]))
    entries["masks.0"] = random_array("bool", [3, 5])
    entries["masks.1"] = random_array("bool", [2, 1])
    entries["empty"] = random_array("float32", [0, 5])
    entries["rate"] = numpy.float32(0.125)
    entries["step"] = numpy.int64(7)
    entries["done"] = numpy.bool_(True)
    entries["key"] = random_array("uint32", [2])
    return entries


class OneWay(io.RawIOBase):
    """A file without seek: zipfile writes data descriptors."""

    def __init__(self):
        self.data = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.data += bytes(data)
        return len(data)


def archives(entries):
    """The ways in which Python writes the same arrays."""
    for write in (numpy.savez, numpy.savez_compressed):
        file = io.BytesIO()
        write(file, **entries)
        yield file.getvalue()
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for file in (io.BytesIO(), OneWay()):
            with zipfile.ZipFile(file, "w", method) as archive:
                archive.comment = b"PK\5\6 a comment"
                for name, array in reversed(entries.items()):
                    archive.writestr(f"{name}.npy", contents(numpy.asanyarray(array)))
            yield bytes(file.data if isinstance(file, OneWay) else file.getvalue())


def check_archive(path, entries):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
    if shutil.which("unzip"):
        done = subprocess.run(["unzip", "-t", path], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    with numpy.load(path) as found:
        assert sorted(found.files) == sorted(entries), found.files
        for name, array in entries.items():
            read, wanted = found[name], numpy.asanyarray(array)
            assert read.dtype == wanted.dtype and read.shape == wanted.shape, name
            assert read.tobytes() == wanted.tobytes(), name


def check_archives(program, folder):
    """Both directions, stored and compressed."""
    entries = tree()
    for archive in archives(entries):
        (folder / "in.npz").write_bytes(archive)
        ask(program, folder, "a tree is loaded and saved as npz")
        check_archive(folder / "stored.npz", entries)
        check_archive(folder / "compressed.npz", entries)
    assert (folder / "compressed.npz").stat().st_size < (folder / "stored.npz").stat().st_size
    ask(program, folder, "all numbers of a zip file are in zip64 records")
    x = entries["floats.float32"]
    check_archive(folder / "zip64.npz", {"first": x, "second": x})


def damaged(whole, random_number):
    """The bytes with a few of them changed."""
    text = bytearray(whole)
    for _ in range(random_number.choice([1, 1, 1, 2, 3])):
        at = random_number.randrange(len(text))
        kind = random_number.randrange(4)
        if kind == 0:
            text[at] = random_number.choice(b"'(){},:0123456789\\ex- <>|")
        elif kind == 1:
            text[at] ^= 1 << random_number.randrange(8)
        elif kind == 2:
            text[at : at + 2] = random_number.choice([b"", b"0", b"1", b",", b" ", b"\xc3", b"PK"])
        else:
            text[at:at] = random_number.choice([b"0", b"1", b",", b" ", b"\0"])
    return bytes(text)


def check_damage(program, folder, whole, what, read):
    """What Tenon loads from a damaged file is what NumPy loads."""
    random_number = random.Random(1)
    (folder / "in").mkdir()
    (folder / "loaded").mkdir()
    for i in range(2000):
        (folder / "in" / str(i)).write_bytes(damaged(whole, random_number))
    ask(program, folder, f"damaged {what} files are refused or loaded")
    good = sorted((folder / "loaded").iterdir())
    for path in good:
        loaded, wanted = numpy.load(path), read(folder / "in" / path.name)
        assert loaded.tobytes() == wanted.tobytes() and loaded.shape == wanted.shape, path.name
    print(f"2000 damaged {what} files: {len(good)} loaded, as by NumPy")
    assert len(good) > 20


def in_folder(check, *arguments):
    with tempfile.TemporaryDirectory() as name:
        check(sys.argv[1], pathlib.Path(name), *arguments)


def main(program):
    def check_npy(program, folder):
        check_arrays(program, folder)
        check_bfloat16(folder)

    in_folder(check_npy)
    x = numpy.arange(40, dtype="int16").reshape(8, 5)
    in_folder(check_damage, contents(x), "npy", numpy.load)
    if has_npz(program):
        in_folder(check_archives)
        with_words = io.BytesIO()
        numpy.savez_compressed(with_words, x=x, words=numpy.array(["a"]))
        read = lambda path: numpy.load(path)["x"]
        in_folder(check_damage, with_words.getvalue(), "npz", read)
    print(f"numpy {numpy.__version__}: both directions agree")


main(sys.argv[1])
