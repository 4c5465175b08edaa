#!/usr/bin/env python3
"""Writes minimize.inc beside this file: the minima that SciPy finds, in float64.

    tests/optim/golden/make_minimize.py        needs NumPy and SciPy

For each case the value at the minimum, then the point, by BFGS to a gradient of 1e-10.
"""

import pathlib

import numpy as np
import scipy
from scipy.optimize import minimize, rosen

ROWS = np.array([[0.5, 1, -1], [1.5, -0.5, 2], [-1, 0.25, 0.5], [2, 1, 1], [-0.5, -2, 1]])
LABELS = np.array([1.0, 0, 1, 0, 1])
MATRIX = np.array([[4.0, 1, 0], [1, 3, -1], [0, -1, 2]])
VECTOR = np.array([1.0, 2, 3])


def logistic(x):  # three weights, then the bias
    score = ROWS @ x[:3] + x[3]
    return np.sum(np.logaddexp(0, score) - LABELS * score) + 0.5 * np.sum(x[:3] ** 2)


CASES = {
    "Rosenbrock": (rosen, [1.3, 0.7, 0.8, 1.9]),
    "quadratic": (lambda x: x @ MATRIX @ x / 2 - VECTOR @ x, [0.0, 0, 0]),
    "logistic": (logistic, [0.0, 0, 0, 0]),
    "logarithm": (lambda x: np.sum(x - VECTOR * np.log(x)), [0.01, 9, 1]),
}

text = f"// Made by make_minimize.py with SciPy {scipy.__version__}.\n"
for name, (f, start) in CASES.items():
    found = minimize(f, start, method="BFGS", jac="3-point", options={"gtol": 1e-8, "maxiter": 10000})
    numbers = ", ".join(f"{x:.12g}" for x in [found.fun, *found.x])
    text += f'{{"{name}", {{{numbers}}}}},\n'
(pathlib.Path(__file__).resolve().parent / "minimize.inc").write_text(text)
