"""The tables of the pages, made from budgets.txt and goals.txt."""

from budgets import budgets, goals
from cases import COMPILED, PROGRAMS, ROOT

BEGIN, END = "<!-- bench/compile/measure --write -->\n", "<!-- end -->\n"
TITLES = {"include": "the header alone", "expression": "one formula",
          "gradient": "a formula and its gradient", "trainer": "README's trainer",
          "run": "a run: configuration, folder, metrics, checkpoints",
          "statements": "20 statements of a model", "formulas": "30 formulas of 10 nodes",
          "gpt": "GPT example"}


def table(*lines):
    """Rows of cells as Markdown; the first is the head."""
    rows = ["| " + " | ".join(cells) + " |" for cells in lines]
    return "\n".join([rows[0], "|---" * len(lines[0]) + "|", *rows[1:]])


def number(value):
    """Two or three digits; a dash for what was not measured."""
    if value is None:
        return "-"
    return f"{value:.2f}" if value < 10 else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def figure(compiler, case, name):
    return number(budgets().get((compiler, case), {}).get(name))


def of_compilers():
    """Multiples of the base and megabytes, for users."""
    def cell(compiler, case):
        return f"{figure(compiler, case, 'bases')}; {figure(compiler, case, 'megabytes')} MB"

    head = ["program (`bench/compile/`)"]
    for compiler in ("g++ 12", "clang 16"):
        head += [compiler, f"{compiler}, `tenon::compiled`"]
    return table(head, *(
        [TITLES[name], *(cell(compiler, name + suffix) for compiler in ("g++", "clang++")
                         for suffix in ("", COMPILED))] for name in PROGRAMS))


def with_goals():
    """Multiples of the base by g++, each with its goal."""
    goal = {case: f"{number:g}" for case, number in goals().items()}
    return table(["g++ 12", "header-only", "goal", "compiled", "goal"], *(
        [TITLES[name], *(cell for case in (name, name + COMPILED)
                         for cell in (figure("g++", case, "bases"), goal.get(case, "")))]
        for name in PROGRAMS))


def short():
    """Multiples of the base by g++, of few programs."""
    names = ["include", "expression", "gradient", "trainer", "gpt"]
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
