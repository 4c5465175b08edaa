"""The table of functions: the facts that tests/function_table finds, with the names in other libraries."""

import re

COVERED = [
    "Elementwise functions",
    "Reductions",
    "Products, einsum, convolution",
    "Indexing and sorting",
    "Shape and slices",
    "Joining",
    "Complex numbers and Fourier transforms",
    "Linear algebra",
    "Integration and interpolation",
    "Random numbers",
    "Losses",
]
COVERED_HEADERS = ["nn/activations.hpp"]
# Functions of these subjects for which a row has no meaning.
WITHOUT_ROW = {
    "allclose": "its result is no tensor",
    "distributions::kl_divergence": "of distributions",
    "fft::blackman": "creates a window",
    "fft::fftfreq": "creates frequencies",
    "fft::hamming": "creates a window",
    "fft::hann": "creates a window",
    "fft::rfftfreq": "creates frequencies",
    "fold_in": "of keys",
    "odeint": "of functions",
    "quad": "of functions",
    "random_bits": "gives uint32",
    "tril_indices": "creates indices",
    "triu_indices": "creates indices",
}
HEAD = """# Table of functions

What functions accept and can do. Every cell is found by calling the function, in `tests/function_table`; the names of other libraries are
those of the docstrings, and a dash says that the docstring has none. `scripts/functions` makes this page.

- **dtypes** of the operands: `bool`; `int`: `int32`, as the other integers; `half`: `float16`, as `bfloat16`; `float`: `float32` and
  `float64`; `complex`: `complex64`, as `complex128`.
- **gradient**: `zero`: it is zero for any operand, as that of `floor`, or none reaches the operand; a dash: no operand or no result is floating.
- **device**: what computes it for a tensor of CUDA, OpenCL or Metal: a `kernel`; the `host`, between copies
  ([devices](../devices.md#fallback-to-the-host)); both, where the host reads the operand, as to order it; or nothing, for a `view`; a
  dash: it takes tensors of the host alone. `double` on Metal is computed by the host.
- **ONNX**: whether `onnx::save` writes it ([ONNX](../onnx.md)); `constant`: with the values of the call, as draws from a key.
"""
LIBRARY = r"(?:PyTorch|NumPy|SciPy|JAX|Eigen|Megatron|MPI|einops)"
NAMES = re.compile(rf"({LIBRARY}(?:(?:, | and ){LIBRARY})*): (?:its )?`([^`]+)`")

# Where two subjects have a function of one name: that of the rows of a file.
SUBJECT_OF_FILE = {
    "elementwise": "Elementwise functions",
    "indices": "Shape and slices",
    "random": "Random numbers",
    "reductions": "Reductions",
}


class Row:
    def __init__(self, line, file=""):
        self.subject = SUBJECT_OF_FILE.get(file)
        self.call, dtypes, self.gradient, self.device, self.onnx = line.split(" |")
        self.gradient, self.device, self.onnx = (
            fact.strip() for fact in (self.gradient, self.device, self.onnx)
        )
        self.dtypes = dtypes.split()
        self.name = re.match(r"[\w:]+", self.call)[0].removeprefix("tenon::")
        if not re.search(r"\bx\b", self.call.removeprefix(self.name)):
            self.gradient = "no"  # it has no operand

    def dtype_text(self):
        text = " ".join(self.dtypes).replace("float32 float64", "float")
        return re.sub(r"\b(int32|float16|complex64)\b", lambda m: SHORT[m[1]], text)

    def cells(self):
        facts = ["–" if fact == "no" else fact for fact in (self.gradient, self.device, self.onnx)]
        return [f"`{self.dtype_text()}`", *facts]

SHORT = {"int32": "int", "float16": "half", "complex64": "complex"}

def read_rows(root):
    rows = []
    for path in sorted((root / "tests" / "function_table").glob("*.txt")):
        rows += [Row(line, path.stem) for line in path.read_text().splitlines()]
    return rows

def names_of(entries):
    """The names in other libraries, by the first docstring that has one."""
    found = {}
    for entry in entries:
        for declaration in entry.declarations:
            for libraries, name in NAMES.findall(" ".join(declaration.doc.split())):
                for library in re.split(r", | and ", libraries):
                    found.setdefault(library, name)
    return found

def cell_of(found, *libraries):
    names = dict.fromkeys(found[library] for library in libraries if library in found)
    return ", ".join(f"`{name}`" for name in names) or "–"

def is_covered(entry, title):
    return entry.declarations[0].kind == "function" and (
        title in COVERED or entry.header in COVERED_HEADERS
    )

def problems(rows, by_subject):
    """Functions without a row, and rows without a function or that say that something is wrong."""
    known = {e.prefix + e.name for group in by_subject.values() for e in group}
    covered = {
        e.prefix + e.name
        for title, group in by_subject.items()
        for e in group
        if is_covered(e, title) and not e.name.startswith("operator")
    }
    named = {row.name for row in rows}
    found = [f"{name}: no row in tests/function_table" for name in covered - named - set(WITHOUT_ROW)]
    found += [f"{name}: a row, and no function" for name in named - known]
    found += [f"{name}: a row, and no need of one" for name in set(WITHOUT_ROW) - covered]
    found += [f"{row.call}: no dtype compiles" for row in rows if not row.dtypes]
    found += [f"{row.call}: {row.onnx} in ONNX" for row in rows if row.onnx == "wrong"]
    return sorted(found)

def page(rows, by_subject, titles, link):
    """The text; `link(title, name)` is the address of an entry."""
    parts = [HEAD]
    for title in titles:
        lines = []
        for row in rows:
            group = [e for e in by_subject[title] if e.prefix + e.name == row.name]
            shared = [t for t in titles if any(e.prefix + e.name == row.name for e in by_subject[t])]
            if not group or group[0].declarations[0].kind != "function":
                continue
            if len(shared) > 1 and row.subject in shared and row.subject != title:
                continue
            found = names_of(group)
            libraries = [cell_of(found, "PyTorch"), cell_of(found, "NumPy", "SciPy")]
            cells = [f"[{row.name}]({link(title, row.name)})", *row.cells(), *libraries]
            lines.append(f"| {' | '.join([*cells, cell_of(found, 'JAX')])} |")
        if lines:
            parts.append(
                f"## {title}\n\n"
                "| function | dtypes | gradient | device | ONNX | PyTorch | NumPy, SciPy | JAX |\n"
                "|---|---|---|---|---|---|---|---|\n" + "\n".join(dict.fromkeys(lines)) + "\n"
            )
    return "\n".join(parts)
