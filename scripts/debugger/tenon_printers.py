"""Printers of Tenon's types for gdb.

    (gdb) source /path/to/tenon/scripts/debugger/tenon_printers.py

A tensor prints as dtype, spec, sizes, device and its first elements; an expression, which has no
elements yet, as dtype, spec, sizes, device and its operation:

    float32 "batch pixel=3" (2, 3) on cpu: [[1. 2. 3.] [4. 5. 6.]]
    float32 "batch pixel=3" (2, 3) on cpu, not evaluated: Add

Only memory is read: no function of the program is called, so a core file prints as well. `set print
elements` limits the number of elements, `print /r` prints without these printers.
"""

import pathlib
import sys

import gdb
import gdb.printing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import tenon_axes
import tenon_elements
import tenon_nodes

RULES = {"MatmulRule": "matmul", "EinsumRule": "einsum", "DotRule": "dot"}
OPERATIONS = {
    "IndexMap": "view",
    "Stepped": "strided view",
    "Gather": "take",
    "PickAlong": "pick",
    "TakeAlong": "take_along",
}


def described(value, shape):
    """Dtype, spec, sizes and device."""
    where = tenon_nodes.device(value)
    on = f" on {where}" if where else ""
    if shape is None:
        return tenon_nodes.dtype(value) + on
    sizes = ", ".join(str(axis.extent) for axis in shape)
    sizes += "," if len(shape) == 1 else ""
    return f'{tenon_nodes.dtype(value)} "{tenon_axes.spec(shape)}" ({sizes}){on}'


class TensorPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        shape = tenon_nodes.shape(self.value)
        is_recorded = int(self.value["mark_"]["tape"]) != 0
        recorded = ", recorded" if is_recorded else ""
        return described(self.value, shape) + recorded + self.elements(shape)

    def elements(self, shape):
        storage = self.value["storage_"]
        kind = tenon_nodes.template_name(storage.type)
        if shape is None or kind == "DeviceStorage":
            return ""  # memory of a device is not read
        sizes = [axis.extent for axis in shape]
        if kind == "InlineStorage":
            elements = tenon_elements.array(storage["elements"]) if all(sizes) else None
            return ": " + tenon_elements.text(elements, sizes)
        block = storage["buffer"]["block_"]
        if not block:
            return ": no elements" if all(sizes) else ": []"
        element = tenon_nodes.bare(self.value.type).template_argument(0)
        return ": " + tenon_elements.text(block["data"].cast(element.pointer()), sizes)


class ViewPrinter:
    """A view of memory with another owner."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        shape = tenon_nodes.shape(self.value)
        if shape is None or tenon_nodes.device(self.value) not in ("cpu", "reference"):
            return described(self.value, shape) + ", a view"
        sizes = [axis.extent for axis in shape]
        strides = tenon_elements.integers(self.value["strides_"])
        elements = tenon_elements.text(self.value["data_"], sizes, strides)
        return f"{described(self.value, shape)}, a view: {elements}"


class ExpressionPrinter:
    """An expression: its elements are computed when it is assigned to a tensor."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        if tenon_nodes.is_gone(self.value):
            return f"moved from: {self.operation()}"
        shape = tenon_nodes.shape(self.value)
        return f"{described(self.value, shape)}, not evaluated: {self.operation()}"

    def operation(self):
        name = tenon_nodes.template_name(self.value.type)
        if name == "Contract":
            rule = tenon_nodes.split(tenon_nodes.arguments(self.value)[2])[0]
            return RULES.get(rule.rpartition("::")[2], "contraction")
        return OPERATIONS.get(name) or tenon_nodes.operation(self.value)


class NumberPrinter:
    """A C++ number in an expression."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return tenon_elements.element_text(self.value["value"], alone=True)


class HalfPrinter:
    """float16 and bfloat16."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return tenon_elements.element_text(self.value, alone=True)


class AxisPrinter:
    """An axis of a shape, as in a spec: batch=32."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        size, upper = int(self.value["size"]), int(self.value["upper"])
        return tenon_axes.Axis(
            name=characters(self.value["name"]),
            expression=characters(self.value["expression"]),
            size=None if size == -1 else size,
            lower=int(self.value["lower"]),
            upper=None if upper == 2**63 - 1 else upper,
        ).text


class ShapePrinter:
    """A shape, as its spec."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        axes = tenon_elements.array(self.value["axes"])
        rank = min(max(int(self.value["rank"]), 0), tenon_elements.length(axes))
        return '"' + " ".join(AxisPrinter(axes[i]).to_string() for i in range(rank)) + '"'


def characters(text):
    """A FixedText."""
    return text["characters"].string(length=int(text["length"]))


def printers():
    every = gdb.printing.RegexpCollectionPrettyPrinter("tenon")
    every.add_printer("tensor", "^tenon::Tensor<", TensorPrinter)
    every.add_printer("view", "^tenon::(Mutable)?View<", ViewPrinter)
    nodes = "Elementwise|IndexMap|Stepped|ReductionNode|Contract|Gather|PickAlong|TakeAlong"
    every.add_printer("expression", f"^tenon::internal::({nodes})<", ExpressionPrinter)
    every.add_printer("number", "^tenon::internal::ConstantNode<", NumberPrinter)
    every.add_printer("half", "^tenon::b?float16$", HalfPrinter)
    every.add_printer("axis", "^tenon::internal::Axis$", AxisPrinter)
    every.add_printer("shape", "^tenon::Shape$", ShapePrinter)
    return every


gdb.printing.register_pretty_printer(None, printers(), replace=True)
