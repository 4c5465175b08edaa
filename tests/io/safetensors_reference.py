"""Files of Tenon and of the Python package safetensors, each read by the other.

Usage: safetensors_reference.py TEST_PROGRAM        (the test program of this folder)
Exit status 77: skipped, as Python packages are missing.
"""

import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

try:
    import numpy
    import safetensors
    import safetensors.numpy
except ImportError as missing:
    print(f"skipped: {missing}; pip install numpy safetensors")
    sys.exit(77)

SHAPE = [3, 5]
# Name in the tree, dtype in the file, bytes per element.
TENSORS = [
    ("floats.float32", "F32", 4),
    ("floats.float64", "F64", 8),
    ("floats.float16", "F16", 2),
    ("floats.bfloat16", "BF16", 2),
    ("integers.int8", "I8", 1),
    ("integers.int16", "I16", 2),
    ("integers.int32", "I32", 4),
    ("integers.int64", "I64", 8),
    ("integers.uint8", "U8", 1),
    ("integers.uint16", "U16", 2),
    ("integers.uint32", "U32", 4),
    ("integers.uint64", "U64", 8),
    ("masks.0", "BOOL", 1),
    ("masks.1", "BOOL", 1),
    ("complex64", "C64", 8),
]
NUMBERS = [
    ("rate", "F32", struct.pack("<f", 0.125)),
    ("step", "I64", struct.pack("<q", 7)),
    ("done", "BOOL", b"\1"),
]
NOTE = 'ä"\\\n'


def pattern(dtype, count):
    """The bytes that both sides compute."""
    if dtype == "BOOL":
        return bytes(int(i % 3 == 0) for i in range(count))
    return bytes((i * 37 + 11) % 256 for i in range(count))


def expected():
    """Every entry of the tree: name -> (dtype, shape, bytes)."""
    entries = {name: (dtype, SHAPE, pattern(dtype, 15 * size)) for name, dtype, size in TENSORS}
    entries["empty"] = ("F32", [0, 5], b"")
    entries.update({name: (dtype, [], data) for name, dtype, data in NUMBERS})
    return entries


def file_of(entries, metadata):
    """A file written according to the specification of the format."""
    header, data = {"__metadata__": metadata}, b""
    for name, (dtype, shape, some) in entries.items():
        offsets = [len(data), len(data) + len(some)]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": offsets}
        data += some
    text = json.dumps(header, ensure_ascii=False).encode()
    return struct.pack("<Q", len(text)) + text + data


def ask(program, folder, case):
    """Runs a test case of the program on the folder."""
    environment = {**os.environ, "TENON_REFERENCE": str(folder)}
    arguments = [program, "--no-skip", f"--test-case=for the reference: {case}"]
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout, f"no such test case: {case}"


def check_writing(program, folder):
    """Python reads the file of Tenon: by its own parser and as arrays."""
    ask(program, folder, "a tree of every dtype is written")
    path = folder / "tenon.safetensors"
    found = dict(safetensors.deserialize(path.read_bytes()))
    wanted = expected()
    assert found.keys() == wanted.keys(), found.keys() ^ wanted.keys()
    for name, (dtype, shape, data) in wanted.items():
        entry = found[name]
        assert (entry["dtype"], list(entry["shape"])) == (dtype, shape), (name, entry)
        assert bytes(entry["data"]) == data, name
    with safetensors.safe_open(path, framework="np") as file:
        notes = file.metadata()
        array = file.get_tensor("integers.int16")
    assert (notes["format"], notes["note"]) == ("tenon", NOTE), notes
    assert notes["tenon.spec.floats.float32"] == "row=3 column", notes
    assert array.tobytes() == pattern("I16", 30) and array.shape == (3, 5)


def written_by_package(metadata):
    """The file that the package itself writes (it has no bfloat16 for NumPy)."""
    entries = expected()
    del entries["floats.bfloat16"]
    arrays = safetensors.numpy.load(file_of(entries, {}))
    return safetensors.numpy.save(arrays, metadata=metadata)


def check_reading(program, folder):
    """Tenon reads the file of Python, in any order."""
    metadata = {"format": "np", "note": NOTE}
    backwards = dict(reversed(expected().items()))
    files = [file_of(expected(), metadata), file_of(backwards, metadata)]
    for contents in [*files, written_by_package(metadata)]:
        safetensors.deserialize(contents)
        (folder / "python.safetensors").write_bytes(contents)
        ask(program, folder, "the file of the reference program is read")


def damaged(text, data, random_number):
    """A file in which a byte, or a range of bytes, is changed."""
    text = bytearray(text)
    for _ in range(random_number.choice([1, 1, 1, 2, 3])):
        at = random_number.randrange(len(text))
        kind = random_number.randrange(4)
        if kind == 0:
            text[at] = random_number.choice(b'"{}[],:0123456789\\ex- ')
        elif kind == 1:
            del text[at : at + random_number.randrange(1, 4)]
        elif kind == 2:
            text[at:at] = random_number.choice([b"0", b"1", b",", b" ", b"\xc3", b"[", b'"a":1,'])
        else:
            data = data[: random_number.randrange(len(data) + 1)]
    return struct.pack("<Q", len(text)) + bytes(text) + data


def is_good(contents):
    """True if the reference reads it."""
    try:
        safetensors.deserialize(contents)
        return True
    except (safetensors.SafetensorError, ValueError):
        return False


def check_damage(program, folder):
    """Tenon rejects every file that the reference rejects."""
    entries = {"a": ("F32", [2], b"12345678"), "b": ("U8", [3, 1], b"abc"), "c": ("I16", [], b"xy")}
    whole = file_of(entries, {"k": "v"})
    length = struct.unpack("<Q", whole[:8])[0]
    random_number = random.Random(1)
    (folder / "damaged").mkdir()
    contents = {}
    for i in range(3000):
        contents[str(i)] = damaged(whole[8 : 8 + length], whole[8 + length :], random_number)
        (folder / "damaged" / str(i)).write_bytes(contents[str(i)])
    ask(program, folder, "damaged files are distinguished from good ones")
    good = set((folder / "good.txt").read_text().split())
    wrong = [contents[name] for name in good if not is_good(contents[name])]
    assert not wrong, wrong[:3]
    refused = sum(is_good(contents[name]) for name in contents.keys() - good)
    print(f"3000 damaged files: {len(good)} good, {refused} good for the reference alone")
    assert 100 < len(good) and refused < 100


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_writing(program, folder)
        check_reading(program, folder)
        check_damage(program, folder)
    print(f"safetensors {safetensors.__version__}, numpy {numpy.__version__}: both directions agree")


main(sys.argv[1])
