"""Functions of Tenon as ONNX files, executed by ONNX Runtime.

Usage: onnx_export_reference.py TEST_PROGRAM        (the test program of tests/io/onnx/export)
Exit status 77: skipped, as Python packages are missing.

The program writes NAME.onnx, and for several sizes NAME.K.inputs.safetensors and
NAME.K.outputs.safetensors.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy
    import onnx
    import onnx.reference
    import onnxruntime
    import safetensors.numpy
except ImportError as missing:
    print(f"skipped: {missing}; pip install numpy safetensors onnx onnxruntime")
    sys.exit(77)

TOLERANCE = 1e-5
LACKING = []
# Operators that a model consists of, among others.
OPERATORS = {
    "softmax": {"Softmax": 1, "Exp": 0},
    "log_plus": {"Log": 1, "Add": 1, "Where": 0},
    "exp_minus": {"Exp": 1, "Sub": 1, "Where": 0},
    "matmul": {"MatMul": 1, "Einsum": 0},
    "resnet": {"Conv": 5, "Einsum": 0},
    "pooled": {"MaxPool": 1, "AveragePool": 1, "Transpose": 0},
    "pooled_channels_last": {"MaxPool": 1, "AveragePool": 1},
    "max_pool2d_ceil": {"MaxPool": 1},
    "pooled_indices": {"MaxPool": 1, "Mod": 1},
    "pooled_indices_of_any_size": {"MaxPool": 1, "Mod": 1},
    "language": {"Softmax": 2, "Einsum": 0, "LayerNormalization": 5, "Sqrt": 0},
    "language_23": {"Attention": 2, "Gelu": 2, "LayerNormalization": 5, "Softmax": 0, "Erf": 0},
    "experts": {"TopK": 1, "Gelu": 0, "Softmax": 1},
    "layer_norm": {"LayerNormalization": 1, "Sqrt": 0},
    "layer_norm_without_shift": {"LayerNormalization": 1, "Sqrt": 0, "Add": 0},
    "layer_norm_of_any_width": {"LayerNormalization": 1, "Sqrt": 0},
    "layer_norm_of_batch": {"LayerNormalization": 0, "Sqrt": 1},
    "layer_norm_of_another": {"LayerNormalization": 0, "Sqrt": 1},
    "layer_norm_epsilon": {"LayerNormalization": 1, "Sqrt": 0},
    "batch_norm": {"BatchNormalization": 1, "Sqrt": 0},
    "batch_norm_of_features": {"BatchNormalization": 1, "Sqrt": 0},
    "batch_norm_of_channels_last": {"BatchNormalization": 0, "Sqrt": 1},
    "rms_norm_18": {"RMSNormalization": 0, "Sqrt": 1},
    "rms_norm_23": {"RMSNormalization": 1, "Sqrt": 0},
    "rms_norm_of_float64": {"RMSNormalization": 0, "Sqrt": 1},
    "gelu_19": {"Gelu": 0, "Erf": 1},
    "gelu_20": {"Gelu": 1, "Erf": 0},
    "gelu_tanh_19": {"Gelu": 0, "Exp": 1},
    "gelu_tanh_20": {"Gelu": 1, "Tanh": 0},
    "attention_22": {"Attention": 0, "Softmax": 1},
    "attention_23": {"Attention": 1, "Softmax": 0},
    "causal_attention_23": {"Attention": 1, "Softmax": 0},
}


class Reference:
    """The reference implementation of ONNX, for operators of dtypes that ONNX Runtime lacks."""

    def __init__(self, path):
        self.model = onnx.load(path)
        self.evaluator = onnx.reference.ReferenceEvaluator(self.model)

    def get_inputs(self):
        return self.model.graph.input

    def get_outputs(self):
        return self.model.graph.output

    def run(self, names, feed):
        return self.evaluator.run(names, feed)


def session_of(path):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented:
        LACKING.append(path.stem)
        return Reference(path)


def unlike(got, expected):
    """Why two arrays cannot be compared; empty: they can."""
    if got.shape != expected.shape:
        return f"expected {expected.shape}, got {got.shape}"
    if got.dtype != expected.dtype:
        return f"expected {expected.dtype}, got {got.dtype}"
    return ""


def errors(got, expected, scale):
    """The errors relative to `scale`; infinite where only one is infinite or NaN."""
    if not numpy.issubdtype(got.dtype, numpy.floating):
        return numpy.where(got == expected, 0, numpy.inf)
    x, y = got.astype(numpy.float64), expected.astype(numpy.float64)
    same = (x == y) | (numpy.isnan(x) & numpy.isnan(y))
    with numpy.errstate(all="ignore"):
        error = numpy.where(same, 0, numpy.abs(x - y) / scale)
    return numpy.where(numpy.isnan(error), numpy.inf, error)


def difference(got, expected):
    """The largest error, relative to the largest of the expected values."""
    if unlike(got, expected):
        return unlike(got, expected)
    finite = numpy.abs(expected[numpy.isfinite(expected)].astype(numpy.float64))
    return float(errors(got, expected, max(finite, default=1)).max(initial=0))


def deviations(got, expected):
    """Where the results of an op differ, each relative to its own size, down to the normal numbers.
    The signs of zeros count, but not those of masks and integers."""
    if not numpy.issubdtype(got.dtype, numpy.floating):
        return got != expected
    numbers = numpy.finfo(got.dtype)
    size = numpy.maximum(numpy.abs(expected.astype(numpy.float64)), float(numbers.smallest_normal))
    sign = (got == 0) & (expected == 0) & (numpy.signbit(got) != numpy.signbit(expected))
    return sign | (errors(got, expected, size) > 32 * float(numbers.eps))


class Row:
    """A row of the table of deviations in docs/onnx.md: ops, dtypes, and where, in NumPy."""

    def __init__(self, line):
        ops, dtypes, where, _ = [cell.strip() for cell in line.strip("|\n ").split(" | ")]
        self.line = line.strip()
        self.ops, self.dtypes = re.findall("`([^`]+)`", ops), re.findall("`([^`]+)`", dtypes)
        self.where, self.is_met = compile(where.strip("`"), line, "eval"), False

    def covers(self, op, dtype, feed):
        if op not in self.ops or dtype not in self.dtypes:
            return numpy.zeros(1, bool)
        with numpy.errstate(all="ignore"):
            return eval(self.where, dict(vars(numpy), **feed))

    def meet(self, op, dtype, feed, deviates):
        covered = self.covers(op, dtype, feed)
        self.is_met |= bool((covered & deviates).any())
        return deviates & ~covered


def table():
    page = pathlib.Path(__file__).parent / "../../docs/onnx.md"
    section = page.read_text().split("## Deviations\n")[1].split("\n## ")[0]
    return [Row(line) for line in section.splitlines() if line.startswith("| `")]


ROWS = table()


def wrong_elements(name, result, feed, got, expected):
    """Where an op deviates and no row of the table says so."""
    if unlike(got, expected):
        return [unlike(got, expected)]
    op, dtype = name.removeprefix("op_").rsplit("_", 1)
    op = result if op == "to" else op.split("@")[0]  # gelu@20: with the operators of version 20
    rest = deviates = deviations(got, expected)
    for row in ROWS:
        rest = row.meet(op, dtype, feed, deviates) & rest
    places = numpy.flatnonzero(rest)
    return [
        f"at {', '.join(repr(x[i]) for x in feed.values())}: expected {expected[i]!r}, got {got[i]!r}"
        for i in places[:8]
    ] + ([f"and {len(places) - 8} more"] if len(places) > 8 else [])


def dimensions(value):
    return [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim]


def wrong_operators(path, expected):
    """How the numbers of operators in a model differ from those expected."""
    nodes = [node.op_type for node in onnx.load(path).graph.node]
    return [
        f"expected {count} {op}, got {nodes.count(op)}"
        for op, count in expected.items()
        if nodes.count(op) != count
    ]


def check(folder, name):
    """A list of what is wrong with one model."""
    path = folder / f"{name}.onnx"
    onnx.checker.check_model(onnx.load(path), full_check=True)
    session = session_of(path)
    wrong = wrong_operators(path, OPERATORS.get(name, {}))
    for inputs in sorted(folder.glob(f"{name}.*.inputs.safetensors")):
        feed = safetensors.numpy.load_file(inputs)
        outputs = pathlib.Path(str(inputs).replace(".inputs.", ".outputs."))
        expected = safetensors.numpy.load_file(outputs)
        wanted = {value.name for value in session.get_inputs()}
        got = session.run(None, {key: x for key, x in feed.items() if key in wanted})
        names = [value.name for value in session.get_outputs()]
        if sorted(names) != sorted(expected):
            wrong.append(f"expected the results {sorted(expected)}, got {sorted(names)}")
            continue
        for result, value in zip(names, got):
            if name.startswith("op_"):
                found = wrong_elements(name, result, feed, numpy.asarray(value), expected[result])
                wrong += [f"{inputs.name}: {result}: {line}" for line in found]
                continue
            error = difference(numpy.asarray(value), expected[result])
            if isinstance(error, str) or not error <= TOLERANCE:
                wrong.append(f"{inputs.name}: {result}: {error}")
    return wrong


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        environment = dict(os.environ, TENON_REFERENCE=str(folder))
        subprocess.run([sys.argv[1]], check=True, env=environment, stdout=subprocess.DEVNULL)
        names = sorted(path.name[: -len(".onnx")] for path in folder.glob("*.onnx"))
        failures = 0
        for name in names:
            try:
                wrong = check(folder, name)
            except Exception as error:  # the other models are checked too
                wrong = [f"{type(error).__name__}: {str(error)[:600]}"]
            for line in wrong:
                print(f"{name}: {line}")
            failures += bool(wrong)
        if LACKING:
            print(f"ONNX Runtime lacks kernels; executed by the reference: {', '.join(LACKING)}")
        for row in ROWS:
            if not row.is_met:
                failures += 1
                print(f"docs/onnx.md: no longer a deviation: {row.line}")
        print(f"{len(names)} models, {failures} failed")
        sys.exit(failures > 0 or not names)


main()
