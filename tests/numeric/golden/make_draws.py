#!/usr/bin/env python3
"""Writes draws.txt beside it: distribution functions by SciPy.

    make_draws.py        needs scipy (1.10 or newer)

A case is a function of tenon::random with its parameters a and b, and the arrays `at` and `below`: points, and the
probability of a draw of at most each of them.
"""

import pathlib

import numpy
import scipy
from scipy import stats

INFINITE = numpy.inf
CASES = [
    ("exponential", (), stats.expon()),
    ("laplace", (), stats.laplace()),
    ("cauchy", (), stats.cauchy()),
    ("gumbel", (), stats.gumbel_r()),
    ("lognormal", (0.5,), stats.lognorm(0.5)),
    *[("gamma", (a,), stats.gamma(a)) for a in (0.05, 0.7, 1, 30, 1e6)],
    *[("beta", (a, b), stats.beta(a, b)) for a, b in ((0.01, 0.02), (0.5, 3), (200, 300))],
    *[("student_t", (df,), stats.t(df)) for df in (0.5, 4)],
    *[("truncated_normal", (a, b), stats.truncnorm(a, b)) for a, b in
      ((-2, 2), (-0.5, 1), (-INFINITE, 0.3), (3, 3.1), (1, INFINITE), (-9, -8))],
    *[("poisson", (rate,), stats.poisson(rate)) for rate in (0.3, 9.5, 10, 47.5, 1e6)],
    *[("binomial", (n, p), stats.binom(n, p)) for n, p in ((7, 0.3), (40, 0.9), (40, 0.5), (1000, 0.37), (10**9, 1e-8),
                                                           (10**6, 0.8))],
]
PROBABILITIES = numpy.array([1e-3, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999])


def line(key, array):
    return f"{key} {len(array)} : " + " ".join(f"{number:.17g}" for number in array)


def case(name, parameters, distribution):
    options = "".join(f" {key} {value:.17g}" for key, value in zip("ab", parameters))
    at = numpy.unique(distribution.ppf(PROBABILITIES))
    return "\n".join([f"case {name}{options}", line("at", at), line("below", distribution.cdf(at))])


text = [f"# Written by make_draws.py with SciPy {scipy.__version__}."] + [case(*row) for row in CASES]
pathlib.Path(__file__).with_name("draws.txt").write_text("\n".join(text) + "\n")
