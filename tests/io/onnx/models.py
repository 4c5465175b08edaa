"""Models that the package onnx makes, for onnx_reference.py."""

import numpy
import onnx
import onnx.numpy_helper

NOTE = 'ä"\\\n'
T = onnx.TensorProto


def every_tensor(raw):
    """Tensors of every dtype with values of each, as raw bytes or as numbers in typed fields."""
    generator = numpy.random.default_rng(1)
    for name, code in T.DataType.items():
        if name in ("UNDEFINED", "STRING") or code > 28:  # 29: of later versions
            continue
        dtype = onnx.helper.tensor_dtype_to_np_dtype(code)
        values = generator.integers(-1 if dtype.kind == "i" else 0, 2, (3, 5)).astype(dtype)
        if dtype.kind in "iu" and dtype.itemsize > 1:
            limits = numpy.iinfo(dtype)
            values.flat[:2] = [limits.min, limits.max]
        if dtype.kind in "fc":
            values.flat[:3] = [numpy.nan, -numpy.inf, 0.1]
        if raw:
            yield onnx.numpy_helper.from_array(values, name)
        else:
            yield onnx.helper.make_tensor(name, code, (3, 5), values.flatten())
    yield onnx.helper.make_tensor("STRING", T.STRING, (2,), [b"a", "ä".encode()])
    yield onnx.helper.make_tensor("scalar", T.FLOAT, (), [0.5])
    yield onnx.helper.make_tensor("empty", T.INT64, (0, 2), [])


def model_of(tensors):
    """A model with initialisers, nodes, types of every kind, and all else that a file may have."""
    inputs = [
        onnx.helper.make_tensor_value_info("x", T.FLOAT, ["n", None, 3]),
        onnx.helper.make_tensor_value_info("of_unknown_rank", T.INT64, None),
        onnx.helper.make_tensor_value_info("number", T.INT64, []),
    ]
    output = onnx.helper.make_tensor_value_info("y", T.FLOAT, ["n", 3, 3])
    value = onnx.numpy_helper.from_array(numpy.arange(3, dtype=numpy.float32), "value")
    nodes = [
        onnx.helper.make_node("Constant", [], ["c"], value=value),
        onnx.helper.make_node("Add", ["x", "c"], ["y"], name="add", doc_string="doc"),
        onnx.helper.make_node("Transpose", ["y"], ["z"], perm=[2, 0, 1]),
    ]
    graph = onnx.helper.make_graph(nodes, "g", inputs, [output], list(tensors), "doc")
    body = [onnx.helper.make_node("Add", ["a", "a"], ["b"])]
    opset = onnx.helper.make_opsetid("", 21)
    function = onnx.helper.make_function("own", "Twice", ["a"], ["b"], body, [opset], ["k"])
    imports = [opset, onnx.helper.make_opsetid("own", 1)]
    model = onnx.helper.make_model(graph, functions=[function], opset_imports=imports)
    onnx.helper.set_model_props(model, {"a": NOTE, "b": ""})
    return model


def normalised(message):
    """The message with the elements of all its tensors as raw bytes, deterministic."""
    if isinstance(message, T) and message.data_type != T.STRING:
        array = onnx.numpy_helper.to_array(message)
        raw = onnx.numpy_helper.from_array(array, message.name)
        assert raw.data_type == message.data_type, message.name
        message.CopyFrom(raw)
        message.raw_data = raw.raw_data
        return
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for one in [value] if hasattr(value, "ListFields") else value:
            normalised(one)
