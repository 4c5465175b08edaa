"""The figures of a case: it is compiled in turns with the base."""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from cases import BASE, CASES, COMPILED, COUNTED, FLAGS, LINKED, PEERS, RUNTIME

ENVIRONMENT = {**os.environ, "CCACHE_DISABLE": "1"}


def compiled(compiler, arguments, object_file, quiet=False):
    """CPU seconds and peak megabytes, or None if it does not compile."""
    command = [compiler, *FLAGS, "-c", "-o", str(object_file), *map(str, arguments)]
    errors = subprocess.DEVNULL if quiet else None
    process = subprocess.Popen(command, stderr=errors, env=ENVIRONMENT)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        return None
    unit = 1e6 if sys.platform == "darwin" else 1e3  # ru_maxrss: bytes or kilobytes
    return used.ru_utime + used.ru_stime, used.ru_maxrss / unit


def required(compiler, arguments, object_file):
    """The same of what has to compile."""
    return compiled(compiler, arguments, object_file) or sys.exit(
        f"{compiler} does not compile {arguments[-1]}")


def has_xsimd(compiler):
    """Without it the base is smaller, and multiples of it larger than their budgets."""
    command = [compiler, *FLAGS, "-E", "-include", "xsimd/xsimd.hpp", "-x", "c++", os.devnull]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def symbols(object_file):
    """Lines of nm: the address if it is defined, the kind, the mangled name."""
    names = subprocess.run(["nm", str(object_file)], capture_output=True, text=True, check=True)
    return [line.split() for line in names.stdout.splitlines()]


def functions(compiler, case, object_file):
    """The number of functions before inlining."""
    required(compiler, ["-O1", "-fno-inline", *CASES[case]], object_file)
    return sum(words[-2] in ("t", "T", "W") for words in symbols(object_file))


def stripped(compiler, case, folder):
    """Kilobytes of the stripped program."""
    objects = [folder / f"{case}.o"]
    if case.endswith(COMPILED):
        objects.append(folder / f"{RUNTIME}.o")
        if not objects[1].exists():
            required(compiler, CASES[RUNTIME], objects[1])
    command = [compiler, "-s", "-pthread", *map(str, objects), "-o", str(folder / "program")]
    subprocess.run(command, check=True)
    return (folder / "program").stat().st_size / 1e3


def add_pair(compiler, case, figures, folder):
    """Compiles the case and then the base; replaces the medians. False if it does not compile."""
    cost = compiled(compiler, CASES[case], folder / f"{case}.o", quiet=case in PEERS)
    if cost is None:
        return False
    base = required(compiler, BASE, folder / "base.o")
    figures["pairs"] = [*figures.get("pairs", []), (cost[0], base[0])]
    figures["seconds"] = statistics.median(seconds for seconds, _ in figures["pairs"])
    figures["bases"] = statistics.median(seconds / unit for seconds, unit in figures["pairs"])
    figures["megabytes"] = cost[1]
    return True


def figures_of(compiler, case, pairs, folder):
    """The figures of a case, or None for a peer that does not compile."""
    figures = {}
    for _ in range(pairs):
        if not add_pair(compiler, case, figures, folder):
            if case not in PEERS:
                sys.exit(f"{compiler} does not compile {CASES[case][-1]}")
            print(f"{compiler}: skipped {case}: its headers are missing or do not compile")
            return None
    names = symbols(folder / f"{case}.o")
    figures["symbol"] = max((len(words[-1]) for words in names), default=0)
    if case in LINKED:
        figures["kilobytes, stripped"] = stripped(compiler, case, folder)
    if case in COUNTED:
        figures["functions"] = functions(compiler, case, folder / "functions.o")
    return figures


def measure(compiler, cases, pairs):
    """case -> its figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        table = {case: figures_of(compiler, case, pairs, folder) for case in cases}
    return {case: figures for case, figures in table.items() if figures}


def measure_again(compiler, case, figures, most, pairs):
    """Adds pairs until the ratio is at most `most`."""
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(pairs):
            if figures["bases"] > most:
                add_pair(compiler, case, figures, pathlib.Path(folder))
