"""Models of Tenon and of the Python package onnx, each read by the other; onnxruntime runs them.

Usage: onnx_reference.py TEST_PROGRAM        (the test program of this folder)
Exit status 77: skipped, as Python packages are missing.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import numpy
    import onnx
    import onnx.numpy_helper
    import onnxruntime
    from google.protobuf.message import DecodeError
except ImportError as missing:
    print(f"skipped: {missing}; pip install numpy onnx onnxruntime")
    sys.exit(77)

if onnx.IR_VERSION < 14:
    print(f"skipped: onnx {onnx.__version__}; expected 1.23 or newer")
    sys.exit(77)
sys.dont_write_bytecode = True
from models import NOTE, every_tensor, model_of, normalised

T = onnx.TensorProto


def pattern(dtype, count):
    """The bytes that both sides compute."""
    if dtype == T.BOOL:
        return bytes(int(i % 3 == 0) for i in range(count))
    return bytes((i * 37 + 11) % 256 for i in range(count))


def ask(program, folder, case):
    """Runs a test case of the program on the folder."""
    environment = {**os.environ, "TENON_REFERENCE": str(folder)}
    arguments = [program, "--no-skip", f"--test-case=for the reference: {case}"]
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout, f"no such test case: {case}"


def checked(path):
    """The model, which the package accepts, and whose bytes are those that it writes itself."""
    onnx.checker.check_model(path, full_check=True)
    model = onnx.load(path, load_external_data=False)
    assert model.SerializeToString(deterministic=True) == path.read_bytes(), path
    assert model.producer_name == "tenon" and model.doc_string == "ä", path
    assert {x.key: x.value for x in model.metadata_props} == {"note": NOTE, "key": ""}, path
    return model


def outputs(path, **inputs):
    """The first output of a model, by onnxruntime."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    providers = ["CPUExecutionProvider"]
    session = onnxruntime.InferenceSession(path, options, providers=providers)
    return session.run(None, inputs)[0]


def check_running(folder):
    """Models of operators run."""
    x = numpy.array([[1, -2], [0.5, 4], [3, 3]], numpy.float32)
    w = numpy.array([[1, 2, 3], [4, 5, 6]], numpy.float32)
    dense = checked(folder / "dense.onnx")
    assert dense.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    expected = numpy.maximum(x @ w + numpy.array([-100, 0, 100], numpy.float32), 0)
    assert numpy.array_equal(outputs(folder / "dense.onnx", x=x), expected)

    outside = checked(folder / "outside.onnx")
    (product,) = [t for t in outside.graph.initializer if t.name == "w"]
    assert product.data_location == T.EXTERNAL, product
    assert {e.key: e.value for e in product.external_data} == {
        "location": "outside.onnx.data",
        "offset": "0",
        "length": "2400",
    }
    w = (numpy.arange(600) % 7).reshape(2, 300).astype(numpy.float32)
    expected = numpy.maximum(x @ w - 3, 0)
    assert numpy.allclose(outputs(folder / "outside.onnx", x=x), expected)

    x = x[0]
    checked(folder / "branches.onnx")
    for c in [True, False]:
        found = outputs(folder / "branches.onnx", c=numpy.array(c), x=x)
        assert numpy.array_equal(found, -x if c else abs(x)), found
    checked(folder / "calls.onnx")
    found = outputs(folder / "calls.onnx", x=x)
    assert numpy.array_equal(found, numpy.where(x < 0, 1.5 * x, 2 * x)), found


def check_writing(program, folder):
    """The package reads the files of Tenon."""
    ask(program, folder, "models are written")
    check_running(folder)
    model = checked(folder / "every_dtype.onnx")
    tensors = {t.name: t for t in model.graph.initializer}
    names = T.DataType.keys() & tensors.keys()
    assert len(names) == 28, names
    for name in names - {"STRING"}:
        tensor = tensors[name]
        assert (tensor.data_type, list(tensor.dims)) == (getattr(T, name), [3, 4]), name
        assert tensor.raw_data == pattern(tensor.data_type, len(tensor.raw_data)), name
        assert onnx.numpy_helper.to_array(tensor).shape == (3, 4), name
    assert list(tensors["STRING"].string_data) == ["ä".encode(), b""]
    assert onnx.numpy_helper.to_array(tensors["empty"]).shape == (0, 5)
    assert onnx.numpy_helper.to_array(tensors["scalar"]).shape == ()
    check_attributes(checked(folder / "every_attribute.onnx"))


def check_attributes(model):
    """Attributes of every kind."""
    (node,) = model.graph.node
    values = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    assert list(node.input) == ["x", ""] and node.metadata_props[0].value == "v"
    assert values["f"] == 0.5 and values["i"] == -7 and values["zero"] == 0
    assert values["s"] == b"text" and list(values["strings"]) == [b"a", b""]
    assert list(values["floats"]) == [1.0, -2.5] and list(values["none"]) == []
    assert list(values["ints"]) == [1, -1, 1 << 62]
    assert values["t"].raw_data == pattern(T.FLOAT, 8) and len(values["tensors"]) == 2
    assert values["g"].node[0].op_type == "Neg"
    assert [g.node[0].op_type for g in values["graphs"]] == ["Neg", "Abs"]
    assert node.attribute[-1].doc_string == "two"


def check_reading(program, folder):
    """Tenon reads the files of the package, and writes them again."""
    (folder / "in").mkdir()
    (folder / "out").mkdir()
    models = {name: model_of(every_tensor(name == "raw")) for name in ["raw", "typed"]}
    for name, model in models.items():
        onnx.save(model, folder / "in" / f"{name}.onnx")
    options = {"save_as_external_data": True, "size_threshold": 0}
    for name, one in [("one_file", True), ("many_files", False)]:
        onnx.save(
            model_of(every_tensor(True)),
            folder / "in" / f"{name}.onnx",
            all_tensors_to_one_file=one,
            location=f"{name}.bin" if one else None,
            **options,
        )
    assert len(list((folder / "in").iterdir())) > 20
    ask(program, folder, "models are read and written again")
    for path in (folder / "in").glob("*.onnx"):
        before, after = onnx.load(path), onnx.load(folder / "out" / path.name)
        normalised(before)
        normalised(after)
        before, after = [x.SerializeToString(deterministic=True) for x in [before, after]]
        assert before == after, path


def damaged(contents, random_number):
    """A file in which bytes are changed."""
    text = bytearray(contents)
    for _ in range(random_number.choice([1, 1, 2, 3])):
        at = random_number.randrange(len(text))
        kind = random_number.randrange(4)
        if kind == 0:
            text[at] = random_number.randrange(256)
        elif kind == 1:
            text[at] ^= 1 << random_number.randrange(8)
        elif kind == 2:
            del text[at : at + random_number.randrange(1, 4)]
        else:
            text[at:at] = random_number.randbytes(random_number.randrange(1, 3))
    return bytes(text)


def is_message(contents):
    """True if protobuf reads it."""
    try:
        onnx.load_model_from_string(contents)
        return True
    except DecodeError:
        return False


def check_damage(program, folder):
    """Tenon rejects the files that protobuf rejects, except where the damage is in a field that it
    skips."""
    tensors = [onnx.helper.make_tensor("w", T.FLOAT, (2,), [1.0, 2.0])]
    whole = model_of(tensors).SerializeToString()
    random_number = random.Random(1)
    (folder / "damaged").mkdir()
    contents = {str(i): damaged(whole, random_number) for i in range(2000)}
    for name, text in contents.items():
        (folder / "damaged" / name).write_bytes(text)
    ask(program, folder, "damaged files are distinguished from good ones")
    good = set((folder / "good.txt").read_text().split())
    wrong = [contents[name] for name in good if not is_message(contents[name])]
    refused = sum(is_message(contents[name]) for name in contents.keys() - good)
    print(f"2000 damaged files: {len(good)} good, {refused} good for protobuf alone, "
          f"{len(wrong)} for Tenon alone")
    assert len(wrong) < 20 and 50 < len(good) < 1950, wrong[:3]


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_writing(program, folder)
        check_reading(program, folder)
        check_damage(program, folder)
    print(f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}: both directions agree")


main(sys.argv[1])
