"""What is compiled: the compilers, their flags, the programs."""

import pathlib
import shutil

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
TORCH = "/usr/include/torch/csrc/api/include"  # the folder of Debian's <torch/torch.h>
FLAGS = ["-std=c++20", "-O3", "-march=native", f"-I{ROOT}/include",
         "-isystem/usr/include/eigen3", f"-isystem{TORCH}"]
BASE = [HERE / "base.cpp"]
PROGRAMS = {name: HERE / f"{name}.cpp" for name in (
    "include", "expression", "gradient", "trainer", "run", "statements", "formulas")}
PROGRAMS["gpt"] = ROOT / "examples" / "12_gpt.cpp"
COMPILED = ", compiled"
RUNTIME = "runtime"  # the whole runtime, in one file
PEERS = {f"expression in {peer.stem}": [peer] for peer in sorted((HERE / "peers").glob("*.cpp"))}
CASES = {
    RUNTIME: ["-O2", "-DTENON_IMPLEMENTATION", HERE / "runtime.cpp"],
    **{name: [source] for name, source in PROGRAMS.items()},
    **{name + COMPILED: ["-DTENON_COMPILED", source] for name, source in PROGRAMS.items()},
    **PEERS,
}
COUNTED = ["expression", "expression" + COMPILED]  # cases with counted functions
LINKED = ["trainer", "trainer" + COMPILED]  # cases that are linked, with the size of the program
# By --check: the compiled ones have the same templates.
OMITTED = [*PEERS, "statements", "formulas", "gpt"]


def compilers():
    """g++, and the first installed clang of the supported versions."""
    clangs = [f"clang++-{version}" for version in range(16, 22)] + ["clang++"]
    return [*filter(shutil.which, ["g++"]), *[*filter(shutil.which, clangs)][:1]]


def family(compiler):
    """The compiler whose budgets apply."""
    return "clang++" if "clang" in compiler else "g++"
