#!/usr/bin/env python3
"""Writes spline.txt beside it: cubic splines by SciPy's CubicSpline, in float64.

    make_spline.py        needs NumPy and SciPy

A case has the number of its ends (0: not-a-knot, 1: natural, 2: clamped), the points xp and fp, and x; the derivatives of
orders 0 to 3 at x; the gradients by x, xp and fp of the values at x times the weights 1, 2, ..., those by points as central
differences.
"""

import pathlib

import numpy as np
import scipy
from scipy.interpolate import CubicSpline

ENDS = ["not-a-knot", "natural", "clamped"]
POINTS = {
    2: ([0.5, 2.0], [1.0, -2.0]),
    3: ([-1.0, 0.5, 1.25], [0.3, 2.0, -1.0]),
    4: ([0.0, 1.0, 1.5, 4.0], [0.0, 1.0, -1.0, 0.5]),
    7: ([-3.0, -2.5, -1.0, 0.0, 0.75, 2.0, 2.25], [1.0, 0.0, 2.5, -1.0, -1.0, 3.0, 2.0]),
}


def line(key, array):
    numbers = np.ravel(array)
    return f"{key} {len(numbers)} : " + " ".join(f"{number:.17g}" for number in numbers)


def differences(f, at, step=1e-5):
    gradient = np.zeros_like(at)
    for i in range(len(at)):
        move = np.zeros_like(at)
        move[i] = step
        gradient[i] = (8 * (f(at + move) - f(at - move)) - f(at + 2 * move) + f(at - 2 * move)) / (12 * step)
    return gradient


text = [f"# Written by make_spline.py with SciPy {scipy.__version__}."]
for number, ends in enumerate(ENDS):
    for n, (xp, fp) in POINTS.items():
        xp, fp = np.array(xp), np.array(fp)
        x = np.concatenate([[xp[0] - 0.5, xp[-1] + 0.25], xp[:2], xp[:-1] + 0.3 * np.diff(xp)])
        spline = CubicSpline(xp, fp, bc_type=ends)
        inner = np.concatenate([[xp[0] - 0.5, xp[-1] + 0.25], xp[:-1] + 0.3 * np.diff(xp)])
        weight = 1.0 + np.arange(len(inner))
        text += [f"case {ends}_{n} ends {number}", line("xp", xp), line("fp", fp), line("x", x)]
        text += [line(f"order{k}", spline(x, k)) for k in range(4)]
        text += [line("inner", inner), line("grad_x", weight * spline(inner, 1))]
        text += [line("grad_xp", differences(lambda p: weight @ CubicSpline(p, fp, bc_type=ends)(inner), xp, 1e-4))]
        text += [line("grad_fp", differences(lambda p: weight @ CubicSpline(xp, p, bc_type=ends)(inner), fp, 1e-2))]
(pathlib.Path(__file__).resolve().parent / "spline.txt").write_text("\n".join(text) + "\n")
