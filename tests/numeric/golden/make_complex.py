#!/usr/bin/env python3
"""Writes complex.txt beside it: functions of complex numbers and their gradients by JAX, in complex128.

    make_complex.py        needs jax (0.4 or newer)

A case has the arrays x, value and grad, a complex number as two numbers: the gradient by x of the real part of
sum(w * f(x)) with the weights w[k] = (1 + k) - i/(1 + k).
"""

import pathlib

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
x = jnp.array([1 + 2j, -0.5 + 0.25j, 3 - 1j, -2 - 0.75j, 0.125j, 0.5 + 0j])
k = 1 + jnp.arange(6)
w = k - 1j / k

FUNCTIONS = {
    "real": jnp.real, "imag": jnp.imag, "conj": jnp.conj, "angle": jnp.angle, "abs": jnp.abs,
    "exp": jnp.exp, "log": jnp.log, "sqrt": jnp.sqrt, "reciprocal": lambda z: 1 / z, "square": lambda z: z * z,
    "sin": jnp.sin, "cos": jnp.cos, "tan": jnp.tan, "sinh": jnp.sinh, "cosh": jnp.cosh, "tanh": jnp.tanh,
    "pow": lambda z: z ** (2 - 0.5j), "base": lambda z: (2 - 0.5j) ** z, "quotient": lambda z: (z + 1) / (z * z + 3),
    "norm": lambda z: jnp.sqrt(jnp.sum(jnp.abs(z) ** 2)) * z, "cumsum": jnp.cumsum, "prod": lambda z: jnp.prod(z) * z,
    "outer": lambda z: jnp.outer(z, jnp.conj(z)) @ z, "flip": lambda z: z[::-1] * z,
}


def line(key, array):
    pairs = [part for z in jnp.ravel(array) for part in (complex(z).real, complex(z).imag)]
    return f"{key} {len(pairs)} : " + " ".join(f"{number:.17g}" for number in pairs)


def case(name, f):
    gradient = jax.grad(lambda z: jnp.real(jnp.sum(w * f(z))))(x)
    return "\n".join([f"case {name}", line("x", x), line("value", f(x)), line("grad x", gradient)])


text = [f"# Written by make_complex.py with JAX {jax.__version__}."] + [case(*pair) for pair in FUNCTIONS.items()]
(pathlib.Path(__file__).resolve().parent / "complex.txt").write_text("\n".join(text) + "\n")
