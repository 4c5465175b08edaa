"""Writes good files, from which the targets of tests/fuzz start: seeds.py FOLDER"""

import io
import pathlib
import sys
import zipfile
import zlib

import config_seeds
import data_seeds
import json_seeds
import onnx_seeds
import tokenizer_seeds

DTYPES = {"<f4": 4, "|u1": 1, "|b1": 1, "<c16": 16, "<i2": 2}
SHAPES = [(), (3,), (2, 2), (2, 1, 3), (0, 3)]


def npy(descr, shape, fortran_order=False, version=1):
    """A file of zeros in the format npy."""
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran_order}, 'shape': {shape}, }}\n"
    width = 2 if version == 1 else 4
    count = DTYPES[descr]
    for size in shape:
        count *= size
    start = b"\x93NUMPY" + bytes([version, 0]) + len(header).to_bytes(width, "little")
    return start + header.encode() + bytes(count)


def arrays():
    for descr in DTYPES:
        for i, shape in enumerate(SHAPES):
            yield npy(descr, shape, i % 2 == 1, 1 + i % 3)


class OneWay(io.RawIOBase):
    """A file without seek: zipfile writes data descriptors."""

    data = b""

    def writable(self):
        return True

    def write(self, data):
        self.data += bytes(data)
        return len(data)


def archives():
    """The tree of the target."""
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for one_way in (False, True):
            file = OneWay() if one_way else io.BytesIO()
            with zipfile.ZipFile(file, "w", method) as archive:
                archive.writestr("a.npy", npy("|u1", (3,)))
                archive.writestr("layers.0.npy", npy("<f4", (2, 2), True))
                with archive.open("mask.npy", "w", force_zip64=not one_way) as member:
                    member.write(npy("|b1", (3,)))
            yield file.data if one_way else file.getvalue()


def members():
    """What the target makes a member of, stored, compressed and already compressed."""
    for array in arrays():
        compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
        yield b"\0ab" + array
        yield b"\1ab" + array
        size = len(array).to_bytes(2, "big")
        yield b"\2" + size + compressor.compress(array) + compressor.flush()


def main(folder):
    seeds = {
        "config": config_seeds.toml(),
        "csv": data_seeds.csv(),
        "idx": data_seeds.idx(),
        "json": json_seeds.documents(),
        "npy": arrays(),
        "npz": [*archives(), *members()],
        "onnx": onnx_seeds.models(),
        "tokenizer": tokenizer_seeds.files(),
        "yaml": config_seeds.yaml(),
    }
    for name, files in seeds.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for i, contents in enumerate(files):
            (folder / name / str(i)).write_bytes(contents)


main(pathlib.Path(sys.argv[1]))
