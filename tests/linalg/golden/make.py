#!/usr/bin/env python3
"""Writes matrices.txt beside it: values and gradients of JAX's functions of matrices, in float64.

    make.py        needs jax and scipy

A case is a line "case NAME", then arrays: "KEY SIZES : NUMBERS". `grad KEY` is the gradient of the sum of the value
weighted by 1, 1.5, 2, ... in row-major order.
"""

from pathlib import Path

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np
import scipy

jax.config.update("jax_enable_x64", True)
rng = np.random.default_rng(7)
TEXT = [f"# Written by make.py with JAX {jax.__version__}, SciPy {scipy.__version__}."]


def drawn(*sizes):
    return np.round(rng.normal(size=sizes), 3)


def line(key, x):
    x = np.asarray(x, np.float64)
    return " ".join([key, *map(str, x.shape), ":", *(repr(float(v)) for v in x.reshape(-1))])


def case(name, f, *, gradients=True, tolerance=None, **inputs):
    def weighed(arrays):
        value = f(*arrays.values())
        weights = 1 + 0.5 * jnp.arange(value.size).reshape(value.shape)
        return jnp.sum(value * weights)

    arrays = {key: jnp.asarray(x) for key, x in inputs.items()}
    TEXT.append(f"case {name}" + (f" tolerance {tolerance}" if tolerance else ""))
    TEXT.extend(line(key, x) for key, x in inputs.items())
    TEXT.append(line("value", f(*arrays.values())))
    if gradients:
        TEXT.extend(line(f"grad {key}", x) for key, x in jax.grad(weighed)(arrays).items())


lu = jax.vmap(jsl.lu)
for m, n in ((3, 3), (4, 2), (2, 4)):
    a = drawn(2, m, n)
    case("lu_l", lambda a: lu(a)[1], a=a)
    case("lu_u", lambda a: lu(a)[2], a=a)
    case("lu_p", lambda a: lu(a)[0], gradients=False, a=a)
    case("pinv", jnp.linalg.pinv, a=a)
    for order in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        case(f"matrix_norm_{order}", lambda a: jnp.linalg.norm(a, order, axis=(-2, -1)), a=a)
    case("cond", jnp.linalg.cond, a=a)
    case("lstsq", lambda a, b: jnp.linalg.lstsq(a, b)[0], a=a[0], b=drawn(m, 2))
low = drawn(4, 2) @ drawn(2, 3)
case("pinv", jnp.linalg.pinv, a=low[None])
case("matrix_rank", jnp.linalg.matrix_rank, gradients=False, a=np.stack([low, drawn(4, 3), 0 * low]))
case("slogdet_sign", lambda a: jnp.linalg.slogdet(a)[0], gradients=False, a=drawn(3, 4, 4))
case("slogdet_log", lambda a: jnp.linalg.slogdet(a)[1], a=drawn(3, 4, 4))
for lower in (True, False):
    for unit in (True, False):
        name = f"triangular_{'lower' if lower else 'upper'}{'_unit' if unit else ''}"
        case(name, lambda a, b: jsl.solve_triangular(a, b, lower=lower, unit_diagonal=unit),
             a=drawn(3, 3) + 2 * np.eye(3), b=drawn(3, 2))
case("cho_solve", lambda a, b: jsl.cho_solve((a, True), b), a=np.tril(drawn(3, 3)) + 2 * np.eye(3), b=drawn(3, 2))
for scale in (0.01, 1, 20):
    case("expm", jsl.expm, a=scale * drawn(2, 3, 3))
case("expm", jsl.expm, a=np.zeros((1, 2, 2)))
case("expm", jsl.expm, a=np.array([[[0, 1.0, 0], [0, 0, 1], [0, 0, 0]]]))
case("kron", jnp.kron, a=drawn(2, 3), b=drawn(3, 2))
case("toeplitz", jsl.toeplitz, a=drawn(3), b=drawn(4))
case("vander", lambda a: jnp.vander(a, 4, increasing=True), a=np.array([0.5, 2, -1.5]))
case("cross", jnp.cross, a=drawn(2, 3), b=drawn(2, 3))
for order in (0, 1, 2, 3, 0.5, -1, np.inf, -np.inf):
    case(f"vector_norm_{order}", lambda a: jnp.linalg.norm(a, order, axis=-1), a=drawn(2, 3))
Path(__file__).with_name("matrices.txt").write_text("\n".join(TEXT) + "\n")
