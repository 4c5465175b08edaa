"""The files budgets.txt and goals.txt, and comparisons with them."""

from cases import CASES, HERE, family

BUDGETS = HERE / "budgets.txt"
GOALS = HERE / "goals.txt"
FIGURES = ["bases", "megabytes", "symbol"]
TOLERANCE = 1.15
LEAST = {"symbol": 200}  # smaller values have no budget


def rows(file, count):
    """The lines of a file: the text before the last `count` numbers, the numbers."""
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    parts = [line.rsplit(maxsplit=count) for line in lines]
    return {name: [float(number) for number in numbers] for name, *numbers in parts}


def goals():
    """case -> its goal in multiples of the base."""
    return {case: number for case, (number,) in rows(GOALS, 1).items()}


def budgets():
    """(family, case) -> its figures."""
    return {tuple(name.split(maxsplit=1)): dict(zip(FIGURES, numbers))
            for name, numbers in rows(BUDGETS, len(FIGURES)).items()}


def write(tables):
    """Writes the figures of the measured cases; those of others remain."""
    known = budgets()
    for compiler, table in tables.items():
        known |= {(family(compiler), case): figures for case, figures in table.items()}
    lines = ["# Written by bench/compile/measure --write.", f"# compiler case {' '.join(FIGURES)}"]
    for compiler in ("g++", "clang++"):
        for case in CASES:
            if got := known.get((compiler, case)):
                lines.append(f"{compiler} {case} {got['bases']:.2f} {got['megabytes']:.0f} "
                             f"{got['symbol']:.0f}")
    BUDGETS.write_text("\n".join(lines) + "\n")


def limits(compiler, case):
    """figure -> the largest value that --check accepts."""
    budget = budgets().get((family(compiler), case), {})
    return {figure: TOLERANCE * max(number, LEAST.get(figure, 0))
            for figure, number in budget.items()}


def exceeded(compiler, table, checked):
    """A line for each figure that is above its limit, or has none."""
    lines = []
    for case, got in table.items():
        most = limits(compiler, case)
        if not most:
            lines.append(f"{compiler}, {case}: no budget; --write stores it")
        lines += [f"{compiler}, {case}: expected at most {most[figure]:.4g} {figure}, "
                  f"got {got[figure]:.4g}"
                  for figure in most if figure in checked and got[figure] > most[figure]]
    return lines
