"""The tables of the pages, made from budgets.txt and goals.txt."""

from budgets import budgets, goals
from cases import COMPILED, PROGRAMS, ROOT, RUNTIME

BEGIN, END = "<!-- bench/compile/measure --write -->\n", "<!-- end -->\n"
TITLES = {"include": "the header alone", "expression": "one formula",
          "gradient": "a formula and its gradient", "trainer": "README's trainer",
          "run": "a run: configuration, folder, metrics, checkpoints",
          "statements": "20 statements of a model", "formulas": "30 formulas of 10 nodes",
          "gpt": "GPT example", "expression in eigen": "one formula in Eigen",
          "expression in xsimd": "its loop by hand with xsimd",
          "expression in xtensor": "one formula in xtensor",
          "expression in libtorch": "one formula in libtorch"}


def table(*lines):
    """Rows of cells as Markdown; the first is the head."""
    rows = ["|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|" for cells in lines]
    return "\n".join([rows[0], "|---" * len(lines[0]) + "|", *rows[1:]])


def number(value):
    """Three digits; empty for what was not measured."""
    if value is None:
        return ""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def figure(compiler, case, name):
    return number(budgets().get((compiler, case), {}).get(name))


def of_compilers():
    """Multiples of the base and megabytes, for users."""
    def cell(compiler, case):
        return f"{figure(compiler, case, 'bases')}; {figure(compiler, case, 'megabytes')} MB"

    head = ["program (`bench/compile/`)"]
    for compiler in ("g++ 12", "clang 16"):
        head += [compiler, f"{compiler}, `tenon::compiled`"]
    rows = [[TITLES[name], *(cell(compiler, name + suffix) for compiler in ("g++", "clang++")
                             for suffix in ("", COMPILED))] for name in PROGRAMS]
    return table(head, *rows, ["the runtime, once for a project", "", cell("g++", RUNTIME), "",
                               cell("clang++", RUNTIME)])


def with_goals():
    """Multiples of the base by g++, each with its goal; also of the measured peers."""
    names = [name for name in TITLES if name in PROGRAMS or ("g++", name) in budgets()]
    goal = {case: f"{number:g}" for case, number in goals().items()}
    return table(["g++ 12", "header-only", "goal", "compiled", "goal"], *(
        [TITLES[name], *(cell for case in (name, name + COMPILED)
                         for cell in (figure("g++", case, "bases"), goal.get(case, "")))]
        for name in names))


def short():
    """Multiples of the base by g++, of few programs."""
    names = ["include", "expression", "gradient", "trainer", "gpt", "expression in eigen"]
    return table(["g++ 12", *(TITLES[name] for name in names)], *(
        [title, *(figure("g++", name + suffix, "bases") for name in names)]
        for title, suffix in (("header-only", ""), ("with `tenon::compiled`", COMPILED))))


PAGES = {"README.md": short, "docs/compile_time.md": of_compilers, "docs/speed.md": with_goals}


def write():
    """Replaces the text between the two comments of each page."""
    for name, made in PAGES.items():
        before, rest = (ROOT / name).read_text().split(BEGIN)
        after = rest.split(END, 1)[1]
        (ROOT / name).write_text(f"{before}{BEGIN}\n{made()}\n\n{END}{after}")
