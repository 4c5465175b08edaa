"""The text of docs/functions.md and of docs/functions/, a page for each subject."""

import itertools
import re

import examples
import signatures
import subjects
import table

HEAD = """# Functions

Every public function, class and concept, in a page for each subject. `scripts/functions` makes these pages from the docstrings of the
headers; `tests/functions_page` compares them. Names stand in `namespace tenon`; those of other namespaces are written with them:
`linalg::solve`. Template arguments that a user writes are in angle brackets; all others are deduced. `axes` are names (`"row"`,
`"height width"`) or one index (`-1`). `keep`, `descending` are objects. Where no header is named it is `<tenon/tenon.hpp>`. The examples are
compiled and run by `tests/docs/functions_*_test.cpp` and `tests/distributed/functions_*_test.cpp`.

The [table of functions](functions/table.md) has the dtypes, the gradient, the devices and the ONNX form of each, and its names in PyTorch,
NumPy, SciPy and JAX.
"""
BACK = "The page [functions](../functions.md) has all names, and says how entries are written.\n"
COMPONENTS = {
    "autodiff/custom_jvp.hpp": "transformations.hpp",
    "autodiff/implicit.hpp": "transformations.hpp",
    "autodiff/jacobian.hpp": "transformations.hpp",
    "autodiff/linearize.hpp": "transformations.hpp",
    "autodiff/vmap.hpp": "transformations.hpp",
    "backend/cuda/": "backend/cuda.hpp",
    "backend/metal/": "backend/metal.hpp",
    "backend/opencl/": "backend/opencl.hpp",
    "losses/": "nn.hpp",
    "nn/complex_layers.hpp": "complex.hpp",
    "nn/": "nn.hpp",
    "numeric/complex.hpp": "complex.hpp",
    "numeric/counts.hpp": "statistics.hpp",
    "numeric/cubic_spline.hpp": "interp.hpp",
    "numeric/distributions": "distributions.hpp",
    "numeric/draws/": "distributions.hpp",
    "numeric/eigenvalues.hpp": "eigenvalues.hpp",
    "numeric/fft.hpp": "fft.hpp",
    "numeric/indexing.hpp": "indexing.hpp",
    "numeric/interp.hpp": "interp.hpp",
    "numeric/matrix_": "linalg.hpp",
    "numeric/odeint.hpp": "integrate.hpp",
    "numeric/partition.hpp": "statistics.hpp",
    "numeric/pseudoinverse.hpp": "linalg.hpp",
    "numeric/quad.hpp": "integrate.hpp",
    "numeric/real_fft.hpp": "fft.hpp",
    "numeric/repetition.hpp": "indexing.hpp",
    "numeric/scans.hpp": "statistics.hpp",
    "numeric/signal.hpp": "fft.hpp",
    "numeric/stft.hpp": "fft.hpp",
    "numeric/special_matrices.hpp": "linalg.hpp",
    "numeric/statistics.hpp": "statistics.hpp",
    "numeric/triangular.hpp": "linalg.hpp",
    "op/bessel.hpp": "elementwise.hpp",
    "op/complements.hpp": "elementwise.hpp",
    "op/complex.hpp": "complex.hpp",
    "op/divisors.hpp": "elementwise.hpp",
    "op/floats.hpp": "elementwise.hpp",
    "op/inverse_hyperbolic.hpp": "elementwise.hpp",
    "op/logarithms.hpp": "elementwise.hpp",
    "op/parts.hpp": "elementwise.hpp",
    "op/roots.hpp": "elementwise.hpp",
    "op/special.hpp": "elementwise.hpp",
}
LIBRARIES = ["PyTorch", "NumPy", "JAX", "Eigen", "Megatron", "SciPy", "MPI", "einops"]


def closure(root, header):
    """The headers that a header includes, with itself."""
    seen, rest = set(), [header]
    while rest:
        name = rest.pop()
        path = root / "include" / "tenon" / name
        if name in seen or not path.exists():
            continue
        seen.add(name)
        rest += re.findall(r"^#include <tenon/([\w/.]+)>", path.read_text(), re.MULTILINE)
    return seen


def escaped(text):
    """Markdown of a line of a docstring: nothing outside of backticks is markup."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([*<]|(?<!\w)_|_(?!\w))", r"\\\1", part)
        for part in parts
    )


def prose(doc):
    """A docstring as paragraphs: lines are joined, indented ones are kept as text."""
    blocks, lines = [], []

    def flush():
        if lines:
            blocks.append(escaped(" ".join(lines)))
            lines.clear()

    text = []
    for line in [*doc.split("\n"), ""]:
        if line.startswith("  "):
            flush()
            text.append(line.rstrip())
            continue
        if text:
            blocks.append("```text\n" + "\n".join(text) + "\n```")
            text = []
        if line.strip():
            lines.append(line.strip())
        else:
            flush()
    flush()
    return "\n\n".join(blocks)


def lines_of(declaration, prefix, concepts, public, is_member=False):
    if declaration.kind != "function":
        return [signatures.of_template(declaration, prefix, concepts)]
    if declaration.name.startswith("operator") and not is_member:
        return [signatures.of_operator(declaration, concepts)]
    return signatures.of_function(declaration, prefix, concepts, public)


def unique(items):
    return list(dict.fromkeys(items))


def anchor(heading):
    """The address of a heading in its page."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading).lower())


def file_of(title):
    return "functions/" + re.sub(r"\W+", "_", title).lower() + ".md"


class Page:
    def __init__(self, entries, concepts, root, members):
        self.concepts, self.root, self.members = concepts, root, members
        self.umbrella = closure(root, "tenon.hpp")
        self.functions = {
            (e.prefix + e.name).lower() for e in entries if e.declarations[0].kind == "function"
        }
        self.public = {entry.name for entry in entries}
        self.by_subject = {}
        for entry in entries:
            self.by_subject.setdefault(subjects.subject_of(entry.header), []).append(entry)
        self.headings = set()
        self.with_examples = 0

    def pages(self):
        """The texts by file, relative to docs/."""
        titles = [title for title in subjects.titles() if title in self.by_subject]
        pages = {file_of(title): self.subject(title) for title in titles}
        pages["functions.md"] = HEAD + "\n" + "\n".join(
            self.contents(title, pages[file_of(title)]) for title in titles
        )
        pages["functions/table.md"] = table.page(
            table.read_rows(self.root), self.by_subject, titles, self.link
        )
        return {
            name: re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n" for name, text in pages.items()
        }

    def link(self, title, name):
        """The address of an entry from another page of docs/functions/."""
        return f"{file_of(title).removeprefix('functions/')}#{anchor(name)}"

    def contents(self, title, text):
        """The names of a subject, with links to their entries."""
        headings = re.findall(r"^## (.*)", text, re.MULTILINE)
        links = ",\n".join(f"[{name}]({file_of(title)}#{anchor(name)})" for name in headings)
        return f"## [{title}]({file_of(title)})\n\n{links}\n"

    def subject(self, title):
        self.headings.clear()
        entries = self.by_subject[title]
        example = self.example_text(title)
        parts = [f"# {title}\n", BACK, self.introduction(entries)]
        if block := examples.preamble(example):
            parts.append(f"The examples of this subject use\n\n```cpp\n{block}\n```\n")
        groups = {}
        for entry in entries:
            if not entry.is_documented or entry.name.startswith("operator"):
                continue
            groups.setdefault((entry.prefix, entry.name), []).append(entry)
        for key, group in groups.items():
            parts.append(self.entry(*key, group, example))
        parts.append(self.operators(entries))
        return "\n".join(part for part in parts if part)

    def example_text(self, title):
        name = f"functions_{subjects.example_file(title)}_test.cpp"
        paths = [self.root / "tests" / folder / name for folder in ("docs", "distributed")]
        text = next((path.read_text() for path in paths if path.exists()), "")
        return examples.of_subject(text, title.removeprefix("Distributed: "))

    def introduction(self, entries):
        """What the headers say about all their names."""
        lines, by_doc = [], {}
        for entry in entries:
            if entry.module_doc:
                by_doc.setdefault(entry.module_doc, []).append(entry)
        for doc, group in by_doc.items():
            names = unique(
                f"`{e.prefix}{e.name}`" for e in group if not e.name.startswith("operator")
            )
            if len(names) > 1:
                lines.append(f"- {', '.join(names)}: " + prose(doc).replace("\n\n", " "))
        return "\n".join(lines) + "\n" if lines else ""

    def heading(self, name, kind):
        """A heading whose address no other of the page has: functions take their names first."""
        suffixes = ["", " (2)"]
        if kind != "function":
            suffixes.insert(1, f" ({kind})")
            if name.lower() in self.functions:
                suffixes = suffixes[1:]
        wanted = next(name + s for s in suffixes if (name + s).lower() not in self.headings)
        self.headings.add(wanted.lower())
        return f"## {wanted}\n"

    def entry(self, prefix, name, group, example):
        parts = [self.heading(prefix + name, group[0].declarations[0].kind)]
        for doc, found in documented(group):
            shown = unique(
                line for d in found for line in lines_of(d, prefix, self.concepts, self.public)
            )
            parts.append("```text\n" + "\n".join(shown) + "\n```\n")
            if doc:
                parts.append(prose(doc) + "\n")
            for declaration in found:
                if declaration.kind == "class" and declaration.body:
                    parts.append(self.class_members(declaration))
        headers = unique(self.header(e.header) for e in group)
        if headers != ["<tenon/tenon.hpp>"]:
            parts.append("Header: " + ", ".join(f"`{header}`" for header in headers) + "\n")
        if shown_example := examples.example(name, prefix, example):
            self.with_examples += 1
            parts.append(f"```cpp\n{shown_example}\n```\n")
        return "\n".join(part for part in parts if part)

    def header(self, header):
        if header in self.umbrella:
            return "<tenon/tenon.hpp>"
        for folder, component in COMPONENTS.items():
            if header.startswith(folder):
                return f"<tenon/{component}>"
        return f"<tenon/{header}>"

    def class_members(self, declaration):
        lines = []
        members = self.members(declaration)
        for _, together in itertools.groupby(members, lambda member: (member.line, member.kind)):
            together = list(together)
            member = together[0]
            shown = unique(lines_of(member, "", self.concepts, self.public, True))
            if member.kind == "variable" and not member.parameters:
                shown = [self.field(each) for each in together]
            text = prose(member.doc).replace("\n\n", " ")
            lines.append(
                "- " + ", ".join(f"`{line}`" for line in shown) + (f": {text}" if text else "")
            )
        return "\n".join(unique(lines)) + "\n" if lines else ""

    def field(self, member):
        """A field with its initial value, where that is short."""
        value = re.sub(r"^[^={]*", "", member.head[member.head.rindex(member.name) :])
        value = value.strip("={} ")
        return member.name + (f" = {value}" if value and len(value) < 25 else "")

    def operators(self, entries):
        lines = []
        by_doc = {}
        for entry in entries:
            if entry.name.startswith("operator"):
                for doc, found in documented([entry]):
                    key = (doc or entry.module_doc, "" if doc else entry.header)
                    by_doc.setdefault(key, []).extend(
                        line for d in found for line in lines_of(d, "", self.concepts, self.public)
                    )
        for (doc, _), shown in by_doc.items():
            lines.append(
                "- " + ", ".join(f"`{line}`" for line in unique(shown)) + f": {prose(doc)}"
            )
        return "## operators\n\n" + "\n".join(unique(lines)) + "\n" if lines else ""


def documented(group):
    """Docstrings, each with the declarations that follow it until the next docstring."""
    found = []
    for entry in group:
        is_first = True
        for declaration in entry.declarations:
            if not found or (declaration.doc and (is_first or declaration.doc != found[-1][0])):
                found.append((declaration.doc, []))
            found[-1][1].append(declaration)
            is_first = False
    return found


def library_names(page):
    return {
        library: len(re.findall(rf"\b{library}\b[^.]*?: (its )?`", page)) for library in LIBRARIES
    }
