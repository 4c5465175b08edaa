"""Shape, dtype and device of tensors and expressions, read from their types and run-time sizes."""

import re

import gdb

import tenon_axes
from tenon_elements import integers

SPEC = re.compile(r'Spec<\d+(?:UL)?>\s*\{"([^"]*)"\}')
GONE = -(2**63)  # the first run-time size of an expression that was moved from
COMPARISONS = {"Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual", "And", "Or",
               "Xor", "Not", "IsNan", "IsInf", "IsFinite"}  # fmt: skip
DTYPES = {"float": "float32", "double": "float64", "bool": "bool", "tenon::float16": "float16",
          "tenon::bfloat16": "bfloat16", "std::complex<float>": "complex64",
          "std::complex<double>": "complex128"}  # fmt: skip


def bare(kind):
    """A type without aliases, references and qualifiers."""
    kind = kind.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        kind = kind.target().strip_typedefs()
    return kind.unqualified()


def split(text):
    """The name of a template and the texts of its arguments."""
    name, _, rest = text.partition("<")
    parts, depth, quoted = [""], 0, False
    for c in rest.rstrip()[:-1]:
        quoted ^= c == '"'
        if not quoted:
            depth += (c in "<({") - (c in ">)}")
        if c == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += c
    return name, [part.strip() for part in parts]


def template_name(kind):
    """Without namespaces: Tensor, IndexMap, Elementwise."""
    return split(bare(kind).name or "")[0].rpartition("::")[2]


def arguments(value):
    return split(bare(value.type).name)[1]


def spec_argument(text):
    """The text of a `Spec<N>{"..."}`; None of anything else, as compilers print a text they do not
    recognise as one."""
    found = SPEC.search(text)
    return found[1] if found else None


def run_time_sizes(value):
    """The sizes of the run-time axes; without any the member is an empty class."""
    kind = value["run_time_"].type
    return integers(value["run_time_"]["value"]) if "SomeSizes" in str(bases(kind)) else []


def bases(kind):
    """The names of all bases of a class."""
    direct = [field.type for field in bare(kind).fields() if field.is_base_class]
    return [base.name for base in direct] + [name for base in direct for name in bases(base)]


def with_sizes(spec, value):
    """The shape of a node that stores its run-time sizes."""
    if spec is None:
        return None
    return tenon_axes.with_run_time_sizes(tenon_axes.read_spec(spec), run_time_sizes(value))


def with_extents(spec, extents):
    """The shape of a node that stores all sizes."""
    if spec is None:
        return None
    return [axis.with_extent(size) for axis, size in zip(tenon_axes.read_spec(spec), extents)]


def operands(value):
    count = {"Elementwise": 3, "Contract": 2}.get(template_name(value.type), 0)
    names = [field.name for field in anonymous_fields(bare(value.type))]
    return [value[name] for name in "abc"[:count] if name in names]


def anonymous_fields(kind):
    """The fields of a class, and those of its anonymous unions."""
    for field in kind.fields():
        if field.name or field.is_base_class:
            yield field
        else:
            yield from bare(field.type).fields()


def is_gone(value):
    """Whether an expression was moved from: its operands are not valid any more."""
    return template_name(value.type) == "Elementwise" and run_time_sizes(value)[:1] == [GONE]


def elementwise_shape(value):
    shapes = [shape(operand) for operand in operands(value)]
    if any(one is None for one in shapes):
        return None
    return tenon_axes.with_run_time_sizes(tenon_axes.broadcast(shapes), run_time_sizes(value))


def contract_shape(value):
    a, b = shape(value["a"]), shape(value["b"])
    rule, parts = split(arguments(value)[2])
    if a is None or b is None:
        return None
    if rule.endswith("::EinsumRule"):
        pattern = spec_argument(parts[0])
        return None if pattern is None else tenon_axes.einsum(pattern, a, b)
    return tenon_axes.matmul(a, b) if rule.endswith(("::MatmulRule", "::DotRule")) else None


def reduction_shape(value):
    inner = shape(value["operand"])
    bits, keeps = arguments(value)[2:]
    return inner and tenon_axes.reduced(inner, int(bits.rstrip("U")), keeps == "true")


def gather_shape(value):
    table, ids, axis = shape(value["table"]), shape(value["ids"]), int(arguments(value)[2])
    if table is None or ids is None:
        return None
    before, after = table[:axis], table[axis + 1 :]
    name = template_name(value.type)
    if name == "Gather":
        return before + ids + after
    others = ids if name == "PickAlong" else ids[:axis] + ids[axis + 1 :]
    merged = [tenon_axes.merge(a, b) for a, b in zip(before + after, others)]
    return merged if name == "PickAlong" else merged[:axis] + [ids[axis]] + merged[axis:]


SHAPES = {
    "Tensor": lambda value: with_sizes(spec_argument(arguments(value)[1]), value),
    "View": lambda value: with_extents(
        spec_argument(arguments(value)[1]), integers(value["sizes_"])
    ),
    "IndexMap": lambda value: with_sizes(spec_argument(arguments(value)[2]), value),
    "Stepped": lambda value: with_extents(
        spec_argument(arguments(value)[1]), integers(value["extents"])
    ),
    "ConstantNode": lambda value: [],
    "Elementwise": elementwise_shape,
    "ReductionNode": reduction_shape,
    "Contract": contract_shape,
    "Gather": gather_shape,
    "PickAlong": gather_shape,
    "TakeAlong": gather_shape,
}
SHAPES["MutableView"] = SHAPES["View"]


def shape(value):
    """The axes with their sizes; None where they cannot be told."""
    name = template_name(value.type)
    return SHAPES[name](value) if name in SHAPES else None


def dtype_name(kind):
    """A C++ type as the library names it: float32."""
    kind = bare(kind)
    name = re.sub(r"std::__\w+::", "std::", kind.name)  # libc++ has an inline namespace
    if name in DTYPES:
        return DTYPES[name]
    if kind.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR):
        return f"{'int' if kind.is_signed else 'uint'}{8 * kind.sizeof}"
    return name.rpartition("::")[2]


def operation(value):
    """The op of a node, without namespaces: Add, SumReduction, Cast<int>."""
    name, _, rest = arguments(value)[0].partition("<")
    return name.rpartition("::")[2] + ("<" + rest if rest else "")


def elementwise_dtype(value):
    op = operation(value)
    if op in COMPARISONS:
        return "bool"
    if op.startswith("Cast<"):
        return dtype_name(bare(value.type).template_argument(0).template_argument(0))
    parts = operands(value)[1 if op == "Where" else 0 :]
    tensors = [part for part in parts if template_name(part.type) != "ConstantNode"]
    return dtype((tensors or parts)[0])


def dtype(value):
    name = template_name(value.type)
    if name in ("Tensor", "View", "MutableView", "ConstantNode"):
        return dtype_name(bare(value.type).template_argument(0))
    if name == "Elementwise":
        return elementwise_dtype(value)
    if name == "ReductionNode" and operation(value).startswith("Arg"):
        return "int32"
    return dtype(inner(value))


def inner(value):
    """The first operand of a node."""
    names = {"Contract": "a", "Gather": "table", "PickAlong": "table", "TakeAlong": "table"}
    return value[names.get(template_name(value.type), "operand")]


def device(value):
    """The last part of the device's type, in lower case as its name; numbers have none."""
    name = template_name(value.type)
    if name in ("Tensor", "View", "MutableView"):
        return arguments(value)[2].rpartition("::")[2].lower()
    if name == "ConstantNode":
        return ""
    parts = operands(value) or [inner(value)]
    return next((where for where in map(device, parts) if where), "")
