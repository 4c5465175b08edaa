#!/usr/bin/env python3
"""Writes activations.txt and losses_of_*.txt beside it: values and gradients of PyTorch, in float64.

    make_losses.py        needs torch (any version from 2.0 on), without a GPU

A case is a line `case NAME` with the names and numbers of options, and tensors `NAME SIZES : NUMBERS`: the
inputs, `value`, and `grad NAME` for every input with a gradient. The gradients are of the sum of the
values, each times 1, 1.5, 2, ... in row-major order.
"""

import math
import pathlib

import torch
import torch.nn.functional as F

HERE = pathlib.Path(__file__).resolve().parent
nan, inf = math.nan, math.inf


def written(numbers):
    return " ".join(repr(float(n)).removesuffix(".0") for n in numbers)


def line(name, tensor):
    sizes = " ".join(map(str, tensor.shape))
    return f"{name} {sizes} : {written(tensor.detach().flatten().tolist())}".replace("  ", " ")


# Limits at infinity of values and derivatives where PyTorch computes infinity times 0.
LIMITS = {"mish": {-inf: (0, 0), inf: (inf, 1)}, "hardswish": {-inf: (0, 0)}, "softsign": {-inf: (-1, 0), inf: (1, 0)}}


def with_limits(name, x, value, gradient, weights):
    for i, number in enumerate(x.tolist()):
        if number in LIMITS.get(name, {}):
            value[i], derivative = LIMITS[name][number]
            gradient[i] = derivative * weights[i]


def case(name, function, inputs, options=None, constants=None):
    """The text of a case. `function` takes the inputs, which have gradients, and the constants."""
    options, constants = options or {}, constants or {}
    leaves = {n: torch.tensor(x, dtype=torch.float64, requires_grad=True) for n, x in inputs.items()}
    fixed = {n: torch.as_tensor(x) for n, x in constants.items()}
    value = function(*leaves.values(), *fixed.values(), **options)
    weights = 1 + 0.5 * torch.arange(value.numel(), dtype=torch.float64).reshape(value.shape)
    if leaves:
        (value * weights).sum().backward()
    value = value.detach()
    if leaves and name in LIMITS:
        with_limits(name, leaves["x"], value, leaves["x"].grad, weights)
    lines = [" ".join([f"case {name}", *(f"{n} {float(x)!r}" for n, x in options.items())])]
    lines += [line(n, x) for n, x in {**leaves, **fixed}.items()]
    lines += [line("value", value)]
    lines += [line(f"grad {n}", x.grad) for n, x in leaves.items() if x.grad is not None]
    return "\n".join(lines) + "\n"


def write(name, cases):
    head = f"# Written by make_losses.py with PyTorch {torch.__version__.split('+')[0]}.\n"
    (HERE / name).write_text(head + "".join(cases))


POINTS = [inf, -inf, 1000, -1000, 40, -40, 19.5, -19.5, 6, 3, -3, 2, -2, 1, -1, 0.5, -0.5]
POINTS += [0.3, -0.3, 1e-9, -1e-9, 1e-300, -1e-300, 0.0, -2.9999, 2.9999, -8, 8, 25, -25]

def hardsigmoid(x):
    """F.hardsigmoid, whose gradient in float64 is that of a factor 1/6 in float32."""
    exact = (F.hardtanh(x, -3, 3) + 3) / 6
    assert torch.allclose(exact, F.hardsigmoid(x), atol=1e-7, equal_nan=True)
    return exact


ACTIVATIONS = [
    ("leaky_relu", F.leaky_relu, [{}, {"negative_slope": 0.2}, {"negative_slope": -1}]),
    ("elu", F.elu, [{}, {"alpha": 1.5}]),
    ("celu", F.celu, [{}, {"alpha": 2.5}]),
    ("selu", F.selu, [{}]),
    ("relu6", F.relu6, [{}]),
    ("hardtanh", F.hardtanh, [{}, {"min_val": -2, "max_val": 0.5}]),
    ("hardsigmoid", hardsigmoid, [{}]),
    ("hardswish", F.hardswish, [{}]),
    ("mish", F.mish, [{}]),
    ("hardshrink", F.hardshrink, [{}, {"lambd": 2}, {"lambd": 0}]),
    ("softshrink", F.softshrink, [{}, {"lambd": 2}, {"lambd": 0}]),
    ("tanhshrink", F.tanhshrink, [{}]),
    ("threshold", F.threshold, [{"threshold": 0.5, "value": -7}]),
    ("softsign", F.softsign, [{}]),
    ("logsigmoid", F.logsigmoid, [{}]),
]
ROWS = [[1, -2, 3, 0.5], [0, 0, 0, 0], [1000, -1000, 30, -30], [inf, 1, 2, 3], [nan, 1, 2, 3]]
FINITE_ROWS = ROWS[:3]


def swiglu(x):
    a, b = x.chunk(2, -1)
    return F.silu(a) * b


def activations():
    for name, function, all_options in ACTIVATIONS:
        for options in all_options:
            yield case(name, lambda x, **o: function(x, **o), {"x": POINTS}, options)
            yield case(name, lambda x, **o: function(x, **o), {}, options, {"x": [nan]})  # any derivative
    yield case("prelu", F.prelu, {"x": ROWS[:3], "weight": [0.25, -1, 0, 2]})
    yield case("glu", F.glu, {"x": ROWS})
    yield case("swiglu", swiglu, {"x": FINITE_ROWS})
    yield case("softmin", lambda x: F.softmin(x, dim=-1), {"x": FINITE_ROWS})


def focal(x, y, alpha=0.25, gamma=2):
    """torchvision.ops.sigmoid_focal_loss."""
    p = torch.sigmoid(x)
    ce = F.binary_cross_entropy_with_logits(x, y, reduction="none")
    loss = ce * ((1 - (p * y + (1 - p) * (1 - y))) ** gamma)
    return (alpha * y + (1 - alpha) * (1 - y)) * loss if alpha >= 0 else loss


def none(function, *flags):
    """The loss of each position. The named options are flags."""
    return lambda *x, **o: function(*x, **{k: bool(v) if k in flags else v for k, v in o.items()}, reduction="none")


def labelled(function, reduction):
    """A loss of scores, labels and perhaps weights, with the classes last."""

    def loss(x, labels, weight=None, **options):
        options = {k: int(v) if k in ("p", "ignore_index") else v for k, v in options.items()}
        return function(x, labels, weight=weight, reduction=reduction, **options)

    return loss


X = [[0.5, -1, 2], [1, 1, 1], [-3, 0.25, 40]]
Y = [[0.5, 0, 4], [0, 2, 0.5], [-3.5, 100, 38]]
BEYOND = [[inf, -inf]]
P = [[0.0, 1, 0.3], [1, 0, 1e-13], [0.5, 0.9, 1e-200]]
T = [[0.0, 1, 0.25], [0, 1, 1], [0.5, 1, 1]]
SIGNS = [[1.0, -1, 1], [-1, 1, -1], [1, -1, -1]]
LOGITS = [[2, -1, 0.5, 0], [0, 0, 0, 0], [1000, -1000, 3, 1], [-5, 1e-3, 2, 2]]
LABELS = torch.tensor([2, 0, 3, 1])
IGNORED = torch.tensor([2, -100, 3, -100])
ALL_IGNORED = torch.tensor([-100] * 4)
WEIGHT = torch.tensor([1.0, 0, 2, 0.5], dtype=torch.float64)
A = [[1, 2, -1, 0], [0, 0, 0, 0], [3, 4, 0, 0], [1e-9, 0, 0, 0]]
B = [[1, 0, 1, 2], [0, 0, 0, 0], [3, 4, 0, 0], [1, 2, 3, 4]]
POINTS_IN_SPACE = [[1, 2, -1, 0], [0, 0, 0, 0], [3, 4.5, 0, 0.5], [0.25, 0, 0, 3], [0.25, 0, 0, 3]]
C = [[-2, 0.5, 1, 1], [0, 1, 0, 0], [3, 3, 0, 1], [1, 2, 3, 5]]


def elementwise():
    for x, y in ((X, Y), ([[0.5]], [[-2]]), (BEYOND, [[1, 1]]), ([[1, 2]], [[1, 4]])):
        both = {"x": x, "y": y}
        yield case("l1_loss", none(F.l1_loss), both)
        yield case("mse_loss", none(F.mse_loss), both)
        for options in ({}, {"beta": 2}, {"beta": 0}, {"beta": 0.5}):
            yield case("smooth_l1_loss", none(F.smooth_l1_loss), both, options)
        for options in ({}, {"delta": 2}, {"delta": 0.5}):
            yield case("huber_loss", none(F.huber_loss), both, options)
    nothing = {"x": torch.tensor([[nan]]), "y": torch.tensor([[1.0]])}
    for name in ("l1_loss", "mse_loss", "smooth_l1_loss", "huber_loss", "hinge_embedding_loss"):
        yield case(name, none(getattr(F, name)), {}, {}, nothing)
    targets = torch.tensor(T, dtype=torch.float64)
    yield case("binary_cross_entropy", none(F.binary_cross_entropy), {"x": P}, {}, {"y": targets})
    yield case("binary_cross_entropy", none(F.binary_cross_entropy), {"x": [[0.3]], "y": [[0.7]]})
    scale = torch.tensor([[1.0, 2, 0], [3, 1, 1], [1, 0.5, 1]], dtype=torch.float64)
    yield case("binary_cross_entropy", none(F.binary_cross_entropy), {"x": P}, {}, {"y": targets, "weight": scale})
    with_logits = F.binary_cross_entropy_with_logits
    scores = [[0, 1000, -1000], [3, -3, 1], [1e-9, -40, 40]]
    beyond = {"y": torch.full((1, 2), 0.5, dtype=torch.float64)}
    for inputs, fixed in (({"x": scores, "y": T}, {}), ({"x": BEYOND}, beyond)):
        yield case("binary_cross_entropy_with_logits", none(with_logits), inputs, {}, fixed)
        positive = torch.tensor([3.0, 1, 0.5], dtype=torch.float64)
        yield case(
            "binary_cross_entropy_with_logits",
            lambda x, y, w: with_logits(x, y, pos_weight=w, reduction="none"),
            inputs, {}, {**fixed, "pos_weight": positive[: len(inputs["x"][0])]},
        )
    inputs = {"x": scores, "y": T}
    yield case("binary_cross_entropy_with_logits", lambda x, y, w: with_logits(x, y, w, reduction="none"), inputs, {}, {"weight": scale})
    yield case(
        "binary_cross_entropy_with_logits",
        lambda x, y, w, p: with_logits(x, y, w, pos_weight=p, reduction="none"),
        inputs, {}, {"weight": scale, "pos_weight": positive},
    )
    for options in ({}, {"alpha": -1}, {"alpha": 0.6, "gamma": 1.5}, {"gamma": 0}):
        yield case("sigmoid_focal_loss", focal, {"x": [[0, 2, -2], [5, -5, 1], [3, -40, 0.1]], "y": T}, options)
    log_p = [[-1, -2, -0.1], [-0.5, -3, -1000], [0, -1, -2]]
    yield case("kl_div", none(F.kl_div), {"x": log_p}, {}, {"y": torch.tensor(T, dtype=torch.float64)})
    yield case("kl_div", none(F.kl_div, "log_target"), {"x": log_p, "y": [[-1, -3, 0], [-2, 0, -1], [-1, -1, -50]]}, {"log_target": 1})
    counts = torch.tensor([[0.0, 1, 2], [5, 3, 0], [1, 7, 100]], dtype=torch.float64)
    rates = {"x": [[0, 1, 2], [0.5, 3, 0.0], [1e-3, 4, 5]]}
    for options in ({}, {"full": 1}, {"log_input": 0}, {"log_input": 0, "full": 1, "eps": 1e-3}):
        yield case("poisson_nll_loss", none(F.poisson_nll_loss, "full", "log_input"), rates, options, {"y": counts})
    variances = [[1, 0.5, 1e-9], [0, 2, 3], [1e-6, 4, 5]]
    for options in ({}, {"full": 1, "eps": 1e-3}):
        yield case("gaussian_nll_loss", none(F.gaussian_nll_loss, "full"), {"x": X, "y": Y, "variance": variances}, options)
    signs = {"y": torch.tensor(SIGNS, dtype=torch.float64)}
    for options in ({}, {"margin": 2}):
        yield case("hinge_embedding_loss", none(F.hinge_embedding_loss), {"x": X}, options, signs)
        yield case("margin_ranking_loss", none(F.margin_ranking_loss), {"a": X, "b": Y}, options, signs)
    yield case("soft_margin_loss", none(F.soft_margin_loss), {"x": X}, {}, signs)

    marks = torch.tensor([[1.0, 0, 0, 1], [0, 0, 0, 0], [1, 1, 1, 1], [0.5, 0.1, 1, 0]], dtype=torch.float64)
    yield case("multilabel_soft_margin_loss", none(F.multilabel_soft_margin_loss), {"x": LOGITS}, {}, {"y": marks})


def classes():
    log_p = torch.log_softmax(torch.tensor(LOGITS, dtype=torch.float64), -1).tolist()
    losses = [("nll_loss", F.nll_loss, log_p, [{}]),
              ("cross_entropy", F.cross_entropy, LOGITS, [{}, {"label_smoothing": 0.1}])]
    for name, function, x, all_options in losses:
        for suffix, reduction in (("", "none"), ("_mean", "mean")):
            for options in all_options:
                for labels in (LABELS, IGNORED, ALL_IGNORED):
                    for weight in ({}, {"weight": WEIGHT}):
                        yield case(name + suffix, labelled(function, reduction), {"x": x}, options, {"labels": labels, **weight})
            yield case(name + suffix, labelled(function, reduction), {"x": x}, {"ignore_index": 2}, {"labels": LABELS})
            yield case(name + suffix, labelled(function, reduction), {"x": [[0.5]]}, {}, {"labels": torch.tensor([0])})
    target = torch.softmax(torch.tensor(LOGITS, dtype=torch.float64) / 3 + 1, -1)
    for options in ({}, {"label_smoothing": 0.1}):
        for weight in ({}, {"weight": WEIGHT}):
            for suffix, reduction in (("", "none"), ("_mean", "mean")):
                yield case("cross_entropy_of_probabilities" + suffix, labelled(F.cross_entropy, reduction), {"x": LOGITS[:2], }, options, {"labels": target[:2], **weight})
    scores = [[0.1, 0.2, 0.4, 0.8], [1, 1, 1, 1], [0, 1, 0.5, 2], [5, -1, 2, 1.5]]
    for options in ({}, {"p": 2}, {"margin": 0.5}, {"p": 2, "margin": 2}):
        for weight in ({}, {"weight": WEIGHT}):
            yield case("multi_margin_loss", labelled(F.multi_margin_loss, "none"), {"x": scores}, options, {"labels": LABELS, **weight})
    lists = torch.tensor([[3, 0, -1, 1], [-1, 2, 0, 0], [0, 1, 2, 3], [2, 2, -1, 0]])
    yield case("multilabel_margin_loss", none(F.multilabel_margin_loss), {"x": scores}, {}, {"labels": lists})


def vectors():
    for options in ({}, {"eps": 2}):
        yield case("cosine_similarity", F.cosine_similarity, {"a": A, "b": B}, options)
    for options in ({}, {"p": 1}, {"p": 3, "eps": 0}, {"p": 0.5}, {"p": inf, "eps": 0}, {"eps": 0}):
        yield case("pairwise_distance", F.pairwise_distance, {"a": A, "b": B}, options)
    for options in ({}, {"p": 1}, {"p": inf}, {"p": 3}):
        yield case("pdist", F.pdist, {"x": POINTS_IN_SPACE}, options)
    yield case("pdist", F.pdist, {"x": A[:1]})
    yield case("pdist", F.pdist, {"x": A[:2]})
    signs = torch.tensor([1.0, -1, -1, -1], dtype=torch.float64)
    for options in ({}, {"margin": 0.3}):
        yield case("cosine_embedding_loss", none(F.cosine_embedding_loss), {"a": A, "b": B}, options, {"labels": signs})
    for options in ({}, {"margin": 3, "swap": 1}, {"p": 1, "eps": 1e-3}, {"margin": 2, "p": 3}):
        yield case("triplet_margin_loss", none(F.triplet_margin_loss, "swap"), {"a": A, "b": B, "c": C}, options)


def ctc(reduction):
    def loss(x, labels, steps, lengths, **options):
        options = {"blank": int(options.get("blank", 0)), "zero_infinity": bool(options.get("zero_infinity", 0))}
        return F.ctc_loss(torch.log_softmax(x, -1), labels, steps, lengths, reduction=reduction, **options)

    return loss


def sequences():
    torch.manual_seed(1)
    x = (3 * torch.randn(6, 4, 4, dtype=torch.float64)).tolist()
    labels = torch.tensor([[1, 2, 2], [3, 0, 0], [1, 1, 1], [2, 3, 1]])
    fixed = {"labels": labels, "steps": torch.tensor([6, 4, 5, 1]), "lengths": torch.tensor([3, 1, 3, 0])}
    too_short = {**fixed, "steps": torch.tensor([6, 4, 4, 6])}
    swapped = {**fixed, "labels": 3 - labels}
    for name, reduction in (("ctc_loss", "none"), ("ctc_loss_mean", "mean")):
        yield case(name, ctc(reduction), {"x": x}, {}, fixed)
        yield case(name, ctc(reduction), {"x": x}, {"blank": 3}, swapped)
        yield case(name, ctc(reduction), {"x": x}, {"zero_infinity": 1}, too_short)


def main():
    write("activations.txt", activations())
    write("losses_of_elements.txt", elementwise())
    write("losses_of_labels.txt", classes())
    write("losses_of_sequences.txt", sequences())
    write("losses_of_vectors.txt", vectors())


if __name__ == "__main__":
    main()
