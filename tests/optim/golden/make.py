#!/usr/bin/env python3
"""Writes optimisers.inc and schedules.inc beside this file: what PyTorch computes, in float64.

    tests/optim/golden/make.py        needs torch 2.9 or newer, on the CPU

optimisers.inc: for each case of LBFGS what `steps_of_lbfgs` says, for each other one the parameters after steps 1, 2 and 10, first the matrix "in=3 out=2",
then the vector "out=2". Weight decay applies to the matrix alone. Lion and LAMB, which PyTorch does
not have, are written out from their papers. Muon has no bfloat16, and the transposed matrix, as
PyTorch's is "out in". schedules.inc: for each case the rates of steps 0 to 29.
"""

import math
import pathlib

import torch
import torch.optim._muon as muon
from torch.optim import lr_scheduler as lr

HERE = pathlib.Path(__file__).resolve().parent
torch.set_default_dtype(torch.float64)


def parameter(i):
    return 2 * math.sin(1 + 0.7 * i)


def gradient(i, t):
    return math.cos(0.9 * i + 1.3 * t) * (3 if i % 3 == 0 else 1)


def newton_schulz(grad, coefficients, steps, eps):
    a, b, c = coefficients
    x = grad.T if grad.size(0) > grad.size(1) else grad
    x = x / x.norm().clamp(min=eps)
    for _ in range(steps):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.T if grad.size(0) > grad.size(1) else x


muon._zeropower_via_newtonschulz = newton_schulz


class Lion(torch.optim.Optimizer):
    def __init__(self, groups, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(groups, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                m = self.state[p].setdefault("m", torch.zeros_like(p))
                u = (beta1 * m + (1 - beta1) * p.grad).sign()
                p.sub_(group["lr"] * (u + group["weight_decay"] * p))
                m.mul_(beta2).add_((1 - beta2) * p.grad)


class LAMB(torch.optim.Optimizer):
    def __init__(self, groups, lr=1e-3, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.0):
        super().__init__(groups, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                s = self.state[p]
                t = s["t"] = s.get("t", 0) + 1
                m = s.setdefault("m", torch.zeros_like(p)).mul_(beta1).add_((1 - beta1) * p.grad)
                v = s.setdefault("v", torch.zeros_like(p)).mul_(beta2).add_((1 - beta2) * p.grad**2)
                r = m / (1 - beta1**t) / ((v / (1 - beta2**t)).sqrt() + group["eps"])
                r = r + group["weight_decay"] * p
                p.sub_(group["lr"] * p.norm() / r.norm() * r)


class MuonAndAdamW:
    """Muon of the transposed matrix, AdamW of the vector."""

    def __init__(self, groups, **options):
        self.matrix, vector = (group["params"][0] for group in groups)
        self.transposed = torch.nn.Parameter(self.matrix.detach().T.clone())
        self.muon = torch.optim.Muon([self.transposed], **options)
        self.adamw = torch.optim.AdamW([vector], weight_decay=0)

    @torch.no_grad()
    def step(self):
        self.transposed.grad = self.matrix.grad.T.clone()
        self.muon.step()
        self.adamw.step()
        self.matrix.copy_(self.transposed.T)


o = torch.optim
CASES = {
    "SGD": (o.SGD, {}),
    "SGD, momentum": (o.SGD, dict(lr=0.1, momentum=0.9, dampening=0.3, weight_decay=0.1)),
    "SGD, Nesterov": (o.SGD, dict(lr=0.1, momentum=0.9, weight_decay=0.1, nesterov=True)),
    "AdamW": (o.AdamW, dict(lr=0.1, weight_decay=0.1)),
    "Adam": (o.Adam, {}),
    "Adam, decay": (o.Adam, dict(lr=0.1, betas=(0.8, 0.9), eps=1e-3, weight_decay=0.1)),
    "AdamW, amsgrad": (o.AdamW, dict(lr=0.1, betas=(0.5, 0.6), weight_decay=0.1, amsgrad=True, maximize=True)),
    "Adam, amsgrad": (o.Adam, dict(lr=0.1, betas=(0.5, 0.6), weight_decay=0.1, amsgrad=True)),
    "Adamax": (o.Adamax, {}),
    "Adamax, decay": (o.Adamax, dict(lr=0.1, betas=(0.8, 0.9), eps=1e-3, weight_decay=0.1)),
    "NAdam": (o.NAdam, {}),
    "NAdam, decay": (o.NAdam, dict(lr=0.1, weight_decay=0.1, momentum_decay=0.1)),
    "NAdam, decoupled": (o.NAdam, dict(lr=0.1, weight_decay=0.1, decoupled_weight_decay=True)),
    "RAdam": (o.RAdam, {}),
    "RAdam, decay": (o.RAdam, dict(lr=0.1, betas=(0.8, 0.99), eps=1e-3, weight_decay=0.1)),
    "RAdam, decoupled": (o.RAdam, dict(lr=0.1, weight_decay=0.1, decoupled_weight_decay=True)),
    "RMSprop": (o.RMSprop, {}),
    "RMSprop, centered": (o.RMSprop, dict(lr=0.1, alpha=0.9, weight_decay=0.1, momentum=0.8, centered=True, eps=1e-3)),
    "Adagrad": (o.Adagrad, {}),
    "Adagrad, decay": (o.Adagrad, dict(lr=0.1, lr_decay=0.2, weight_decay=0.1, initial_accumulator_value=0.5)),
    "Adadelta": (o.Adadelta, {}),
    "Adadelta, decay": (o.Adadelta, dict(lr=0.5, rho=0.8, eps=1e-3, weight_decay=0.1)),
    **{f"{make.__name__}, maximize": (make, dict(lr=0.1, weight_decay=0.1, maximize=True))
       for make in (o.SGD, o.Adam, o.Adamax, o.NAdam, o.RAdam, o.RMSprop, o.Adagrad, o.Adadelta)},
    "Lion": (Lion, {}),
    "Lion, decay": (Lion, dict(lr=0.1, betas=(0.8, 0.9), weight_decay=0.1)),
    "LAMB": (LAMB, {}),
    "LAMB, decay": (LAMB, dict(lr=0.1, betas=(0.8, 0.9), weight_decay=0.1)),
    "Muon": (MuonAndAdamW, {}),
    "Muon, match": (MuonAndAdamW, dict(lr=0.1, momentum=0.8, nesterov=False, adjust_lr_fn="match_rms_adamw")),
}


def steps_of(make, options):
    matrix = torch.nn.Parameter(torch.tensor([parameter(i) for i in range(6)]).reshape(3, 2))
    vector = torch.nn.Parameter(torch.tensor([parameter(i) for i in range(6, 8)]))
    groups = [{"params": [matrix]}, {"params": [vector], "weight_decay": 0.0}]
    optimizer = make(groups, **options)
    for t in range(1, 11):
        matrix.grad = torch.tensor([gradient(i, t) for i in range(6)]).reshape(3, 2)
        vector.grad = torch.tensor([gradient(i, t) for i in range(6, 8)])
        optimizer.step()
        if t in (1, 2, 10):
            yield from matrix.flatten().tolist() + vector.tolist()


def steps_of_lbfgs(options):
    """Parameters and loss after each of 4 steps."""
    matrix = torch.nn.Parameter(torch.tensor([parameter(i) for i in range(6)]).reshape(3, 2))
    vector = torch.nn.Parameter(torch.tensor([parameter(i) for i in range(6, 8)]))
    optimizer = o.LBFGS([matrix, vector], **options)

    def loss():
        optimizer.zero_grad()
        bend = torch.arange(1, 4)[:, None] * (matrix - vector**2) ** 2
        value = bend.sum() + ((1 - vector) ** 2).sum() + 0.1 * (matrix**4).sum()
        value.backward()
        return value

    for _ in range(4):
        optimizer.step(loss)
        yield from matrix.flatten().tolist() + vector.tolist() + [loss().item()]


LBFGS = {
    "LBFGS": dict(lr=0.05, max_iter=3),
    "LBFGS, history": dict(lr=0.1, max_iter=7, history_size=2),
    "LBFGS, Wolfe": dict(max_iter=5, line_search_fn="strong_wolfe"),
    "LBFGS, evaluations": dict(lr=3, max_iter=9, max_eval=6, history_size=3, line_search_fn="strong_wolfe"),
    "LBFGS, to the end": dict(max_iter=100, line_search_fn="strong_wolfe"),
}


SCHEDULES = {
    "StepLR": lambda p: lr.StepLR(p, 7, 0.3),
    "MultiStepLR": lambda p: lr.MultiStepLR(p, [3, 11, 12], 0.5),
    "ExponentialLR": lambda p: lr.ExponentialLR(p, 0.9),
    "ConstantLR": lambda p: lr.ConstantLR(p),
    "LinearLR": lambda p: lr.LinearLR(p, 0.25, 0.9, 8),
    "PolynomialLR": lambda p: lr.PolynomialLR(p, 12, 2.0),
    "CosineAnnealingLR": lambda p: lr.CosineAnnealingLR(p, 12, 0.01),
    "CosineAnnealingWarmRestarts": lambda p: lr.CosineAnnealingWarmRestarts(p, 4, 2, 0.01),
    "CosineAnnealingWarmRestarts, equal": lambda p: lr.CosineAnnealingWarmRestarts(p, 4),
    "OneCycleLR": lambda p: lr.OneCycleLR(p, 0.5, 30),
    "OneCycleLR, three phases": lambda p: lr.OneCycleLR(
        p, 0.5, 30, pct_start=0.2, anneal_strategy="linear", div_factor=10, final_div_factor=100, three_phase=True
    ),
    "ChainedScheduler": lambda p: lr.ChainedScheduler([lr.ConstantLR(p, 0.1, 4), lr.ExponentialLR(p, 0.9)]),
    "SequentialLR": lambda p: lr.SequentialLR(
        p, [lr.LinearLR(p, 0.1, 1, 5), lr.ExponentialLR(p, 0.9), lr.StepLR(p, 4)], [5, 15]
    ),
}
METRICS = [abs(math.sin(0.35 * i)) + 0.02 * i for i in range(30)]
PLATEAUS = {
    "ReduceLROnPlateau": dict(patience=3),
    "ReduceLROnPlateau, max": dict(mode="max", factor=0.5, patience=1, threshold=0.05, threshold_mode="abs", cooldown=2, min_lr=0.02),
}


def rates_of(make):
    optimizer = o.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
    schedule = make(optimizer)
    for _ in range(30):
        yield optimizer.param_groups[0]["lr"]
        optimizer.step()
        if _ < 29:
            schedule.step()


def rates_on_plateau(options):
    optimizer = o.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
    schedule = lr.ReduceLROnPlateau(optimizer, **options)
    for metric in METRICS:
        schedule.step(metric)
        yield optimizer.param_groups[0]["lr"]


def write(name, cases):
    lines = [f'{{"{case}", {{{", ".join(f"{float(x):.15g}" for x in numbers)}}}}},' for case, numbers in cases]
    (HERE / name).write_text("// Made by make.py.\n" + "\n".join(lines) + "\n")


write(
    "optimisers.inc",
    [(name, steps_of(*case)) for name, case in CASES.items()]
    + [(name, steps_of_lbfgs(options)) for name, options in LBFGS.items()],
)
write(
    "schedules.inc",
    [(name, rates_of(make)) for name, make in SCHEDULES.items()]
    + [(name, rates_on_plateau(options)) for name, options in PLATEAUS.items()],
)
