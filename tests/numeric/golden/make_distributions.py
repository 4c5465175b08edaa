#!/usr/bin/env python3
"""Writes distributions.txt beside it: distributions by SciPy, divergences by its quadrature.

    make_distributions.py        needs scipy (1.10 or newer)

A case is a distribution, or the divergence alone of one, with arrays of parameters a, b, c, of points x, and what is known of it; the divergence is
that of the distribution with the parameters q_a, q_b, q_c.
"""

import pathlib

import numpy
import scipy
from scipy import stats
from scipy.integrate import quad

FAMILIES = {
    "gamma": (lambda a, b: stats.gamma(a, scale=1 / b), [[0.3, 1, 7.5], [0.5, 2, 3]], [0.01, 1.5, 2]),
    "beta": (lambda a, b: stats.beta(a, b), [[0.4, 1, 7.5], [0.5, 3, 20]], [0.02, 0.5, 0.3]),
    "student_t": (lambda a, b, c: stats.t(a, b, c), [[3, 4.5, 50], [0.5, -1, 2], [1.5, 0.25, 3]], [0.7, -1.1, -2.5]),
    "poisson": (lambda a: stats.poisson(a), [[0.3, 4, 60]], [0, 3, 71]),
    "binomial": (lambda a, b: stats.binom(a, b), [[5, 12, 200], [0.3, 0.5, 0.95]], [0, 12, 188]),
    "gumbel": (lambda a, b: stats.gumbel_r(a, b), [[0.5, -1, 2], [1.5, 0.25, 3]], [0.7, -1.1, -2.5]),
    "lognormal": (lambda a, b: stats.lognorm(b, scale=numpy.exp(a)), [[0.5, -1, 2], [1.5, 0.25, 0.7]], [0.7, 1.1, 2.5]),
    "cauchy": (lambda a, b: stats.cauchy(a, b), [[0.5, -1, 2], [1.5, 0.25, 3]], [0.7, -1.1, -2.5]),
    "geometric": (lambda a: stats.geom(a, loc=-1), [[0.2, 0.5, 0.9]], [0, 3, 1]),
}
DIVERGENCE_ALONE = ("gumbel", "lognormal", "cauchy", "geometric")


def other(parameters, name):
    factors = [1, 0.9] if name == "binomial" else [0.8] if name == "geometric" else [1.2, 0.8]
    return [[factor * number for number in column] for factor, column in zip(factors, parameters)]


def divergence(p, q, is_continuous):
    if not is_continuous:
        k = numpy.arange(0, p.ppf(1 - 1e-16) + 50)
        at = k[p.pmf(k) > 0]
        return numpy.sum(p.pmf(at) * (p.logpmf(at) - q.logpmf(at)))
    def integrand(u):
        x = p.ppf(u)
        return p.logpdf(x) - q.logpdf(x)
    return sum(quad(integrand, *ends, epsabs=1e-12, epsrel=1e-11, limit=500)[0] for ends in ((0, 0.5), (0.5, 1)))


def line(key, array):
    return f"{key} {len(array)} : " + " ".join(f"{number:.17g}" for number in array)


def table(key, rows):
    rows = numpy.array(rows)
    return line(key, rows.ravel()).replace(f" {rows.size} :", f" {rows.shape[0]} {rows.shape[1]} :")


def case(name, family, parameters, x):
    ps = [family(*column) for column in zip(*parameters)]
    is_continuous = hasattr(ps[0].dist, "pdf")
    lines = [f"case {name}", *[line(key, column) for key, column in zip("abc", parameters)]]
    log_prob = [p.logpdf(at) if is_continuous else p.logpmf(at) for p, at in zip(ps, x)]
    if name not in DIVERGENCE_ALONE:
        lines += [line("x", x), line("log_prob", log_prob), line("entropy", [float(p.entropy()) for p in ps])]
        lines += [line("mean", [p.mean() for p in ps]), line("variance", [p.var() for p in ps])]
    if name != "student_t":
        qs = other(parameters, name)
        kl = [divergence(p, family(*column), is_continuous) for p, column in zip(ps, zip(*qs))]
        lines += [line(f"q_{key}", column) for key, column in zip("abc", qs)] + [line("kl", kl)]
    return "\n".join(lines)


text = [f"# Written by make_distributions.py with SciPy {scipy.__version__}."]
text += [case(name, *row) for name, row in FAMILIES.items()]

# Vectors: the parameters a are those of two vectors, x and the entropies theirs.
concentrations = numpy.array([[0.4, 1, 7.5], [2, 3, 0.9]])
points = numpy.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])
dirichlets = [stats.dirichlet(a) for a in concentrations]
text += ["case dirichlet", table("a", concentrations), table("x", points),
         line("log_prob", [d.logpdf(x) for d, x in zip(dirichlets, points)]),
         line("entropy", [d.entropy() for d in dirichlets]), table("variance", [d.var() for d in dirichlets])]
covariance = numpy.array([[2, -0.6, 0.3], [-0.6, 0.5, 0.1], [0.3, 0.1, 1]])
normal = stats.multivariate_normal([0.5, -1, 2], covariance)
text += ["case multivariate_normal", line("a", [0.5, -1, 2]), table("b", covariance), table("x", points),
         line("log_prob", normal.logpdf(points)), f"entropy : {normal.entropy():.17g}"]
pathlib.Path(__file__).with_name("distributions.txt").write_text("\n".join(text) + "\n")
