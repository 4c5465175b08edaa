"""The lines of NumPy, and of PyTorch and SciPy where these are installed, in
docs/from_pytorch_numpy_eigen.md and docs/from_numpy_scipy.md have the documented values.

Usage: lines_reference.py [ignored]
Exit status 77: skipped, without NumPy.
"""

import pathlib
import re
import sys

try:
    import numpy as np
    from numpy.lib.stride_tricks import sliding_window_view
except ImportError as missing:
    print(f"skipped: {missing}; pip install numpy")
    sys.exit(77)

DOCS = pathlib.Path(__file__).parents[2] / "docs"
PYTORCH = ("F.", "nn.", "torch.", "lstm(", "gru(")
OTHERS = (*PYTORCH, "torch:", "jax", "jnp", "rng", "einops", "x.shape")
NAMES = {
    "np": np,
    "sliding_window_view": sliding_window_view,
    "x": np.float32([[1, 2, 3], [4, 5, 6]]),
    "v": np.float32([3, 0, -1]),
    "u": np.float32([3, 4]),
    "s": np.float32([[2, 1], [1, 3]]),
    "i": np.int32([-4, 5, 6]),
    "ids": np.int32([2, 0]),
}


def one_line(value):
    text = re.sub(r"\s+", " ", str(value)).lower()
    text = re.sub(r"^(-?\d+)\.0$", r"\1", text)  # an integral C++ number has no decimal point
    return text.replace("[ ", "[").replace(" ]", "]")


def lines(page):
    for line in (DOCS / page).read_text().splitlines():
        if line.startswith("| `"):
            cells = [cell.strip().strip("`") for cell in line.split("|")[1:-1]]
            yield cells[0], cells[-1]


def names_of_scipy():
    try:
        from scipy import fft, integrate, interpolate, linalg, optimize, signal, special, stats
    except ImportError:
        return None
    return {
        **locals(),
        "np": np,
        "v": np.array([3.0, 1, 2]),
        "p": np.array([0.25, 0.5, 0.125]),
        "a": np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]]),
        "m": np.array([[1.0, 2, 3], [4, 5, 6]]),
        "z": np.array([3 + 4j, 2j, 1]),
        "r": np.array([1.0, 2]),
        "i": np.array([2, 0]),
    }


NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")


def is_near(got, expected):
    """Whether two printed values differ in the last digits at most."""
    found, wanted = ([float(n) for n in NUMBER.findall(text)] for text in (got, expected))
    same = NUMBER.sub("0", got) == NUMBER.sub("0", expected) and len(found) == len(wanted)
    return same and np.allclose(found, wanted, 1e-6, 1e-6)


def with_halves(module):
    """A module whose parameters are all 0.5."""
    for parameter in module.parameters():
        parameter.data.fill_(0.5)
    return module


def names_of_pytorch():
    try:
        import torch
    except ImportError:
        return None
    numbers = {name: torch.tensor(NAMES[name]) for name in "xvus"}
    a = torch.tensor([[1.0, 0], [2, 1]])
    gru = with_halves(torch.nn.GRU(2, 1, batch_first=True))
    return {
        "torch": torch,
        "lstm": with_halves(torch.nn.LSTM(2, 1, batch_first=True)),
        "gru": gru,
        "h": gru(a)[1],
        "F": torch.nn.functional,
        "nn": torch.nn,
        "y": torch.tensor([2, 0]),
        "g": torch.tensor([1.0, 0, 1]),
        "e": torch.tensor([1.0, -1, 1]),
        "w": torch.tensor([[1.0, 0], [0, 1], [1, 1]]),
        "a": a,
        "t": torch.tensor([[[1.0, 2, 4, 8]]]),
        "k": torch.tensor([[[1.0, -1]]]),
        "p": numbers["s"].reshape(1, 1, 2, 2),
        **numbers,
    }


def is_of_pytorch(code, expected):
    got = eval(code, pytorch).flatten().tolist()
    numbers = [float(number) for number in re.findall(r"-?[\d.]+(?:e[-+]?\d+)?", expected)]
    return len(got) == len(numbers) and np.allclose(got, numbers, 1e-5, 1e-5)


pytorch = names_of_pytorch()
checked = wrong = 0
for code, expected in lines("from_pytorch_numpy_eigen.md"):
    if pytorch and code.startswith(PYTORCH):
        checked += 1
        if not is_of_pytorch(code, expected):
            wrong += 1
            print(f"{code}: expected {expected}, PyTorch gives {eval(code, pytorch)}")
    if code.startswith(OTHERS):
        continue
    checked += 1
    got = one_line(eval(code, NAMES))
    if got != one_line(expected):
        wrong += 1
        print(f"{code}: expected {expected}, NumPy gives {got}")
scipy = names_of_scipy()
for code, expected in lines("from_numpy_scipy.md") if scipy else ():
    checked += 1
    with np.errstate(all="ignore"):
        got = one_line(eval(code, scipy))
    if not is_near(got, one_line(expected)):
        wrong += 1
        print(f"{code}: expected {expected}, NumPy and SciPy give {got}")
print(f"{checked} lines checked, {wrong} wrong")
sys.exit(wrong > 0 or checked < 40)
