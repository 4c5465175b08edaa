#!/usr/bin/env python3
"""Writes norms.txt and bilinear.txt beside it: values, gradients and states of PyTorch's normalisations, in float64.

    make_norms.py        needs torch (any version from 2.4 on), without a GPU

The form of a case is that of make_losses.py. Of three steps of a batch norm, `value` is that of the last one.
"""

import torch
import torch.nn.functional as F

from make_losses import HERE, case, line

torch.manual_seed(7)
IMAGE = (2, 4, 3, 1)


def drawn(*sizes):
    return torch.round(torch.randn(sizes, dtype=torch.float64), decimals=3).tolist()


def batch_norm(name, sizes, momentum):
    """Three steps of training, then the value in evaluation."""
    layer = torch.nn.BatchNorm2d(sizes[1], momentum=momentum, dtype=torch.float64)
    inputs = {"x": drawn(*sizes), "weight": drawn(sizes[1]), "bias": drawn(sizes[1])}
    before = [torch.tensor(drawn(*sizes), dtype=torch.float64) for _ in range(2)]

    def trained(x, weight, bias):
        for each in before:
            layer(each)
        y = F.batch_norm(x, layer.running_mean, layer.running_var, weight, bias, True,
                         1 / 3 if momentum is None else momentum, layer.eps)
        return y

    options = {} if momentum is None else {"momentum": momentum}
    text = case(name, lambda *x: trained(*x[:3]), inputs, {})
    text = text.replace(f"case {name}", " ".join([f"case {name}", *(f"{n} {v}" for n, v in options.items())]))
    rows = [line(f"before{i}", x) for i, x in enumerate(before)]
    rows += [line("running_mean", layer.running_mean), line("running_var", layer.running_var)]
    weight, bias = (torch.tensor(inputs[n], dtype=torch.float64) for n in ("weight", "bias"))
    x = torch.tensor(inputs["x"], dtype=torch.float64)
    rows += [line("evaluated", F.batch_norm(x, layer.running_mean, layer.running_var, weight, bias, False))]
    return text + "\n".join(rows) + "\n"


def affine(size):
    return {"weight": drawn(size), "bias": drawn(size)}


def spectral_norm():
    """The weight after two steps of training, and the vectors before and after them."""
    layer = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(5, 3, bias=False, dtype=torch.float64))
    state = layer.parametrizations.weight[0]
    u, v = state._u.clone(), state._v.clone()
    raw = layer.parametrizations.weight.original
    layer.weight
    value = layer.weight
    (value * (1 + 0.5 * torch.arange(15, dtype=torch.float64).reshape(5, 3)).T).sum().backward()
    rows = [line("w", raw.T), line("value", value.T), line("grad w", raw.grad.T)]
    rows += [line("u", u), line("v", v), line("next_u", state._u), line("next_v", state._v)]
    return "case spectral_norm\n" + "\n".join(rows) + "\n"


if __name__ == "__main__":
    parts = [
        batch_norm("BatchNorm", IMAGE, 0.1),
        batch_norm("BatchNorm", (3, 4, 1, 1), 0.25),
        batch_norm("BatchNorm", IMAGE, None),
        case("GroupNorm", lambda x, w, b: F.group_norm(x, 2, w, b), {"x": drawn(*IMAGE), **affine(4)}),
        case("GroupNorm", lambda x, w, b: F.group_norm(x, 2, w, b), {"x": drawn(1, 4, 1, 1), **affine(4)}),
        case("InstanceNorm", F.instance_norm, {"x": drawn(*IMAGE)}),
        case("RMSNorm", lambda x, w: F.rms_norm(x, (7,), w), {"x": drawn(3, 7), "weight": drawn(7)}),
        case("RMSNorm", lambda x, w: F.rms_norm(x, (7,), w), {"x": drawn(1, 7), "weight": drawn(7)}),
        case("LocalResponseNorm", lambda x, **o: F.local_response_norm(x, 3, **o), {"x": drawn(*IMAGE)},
             {"alpha": 0.5, "beta": 0.6, "k": 2.0}),
        case("LocalResponseNorm", lambda x, **o: F.local_response_norm(x, 3, **o), {"x": drawn(1, 4, 1, 1)}),
        case("LocalResponseNormEven", lambda x: F.local_response_norm(x, 4, alpha=0.5), {"x": drawn(*IMAGE)}),
        case("normalize", lambda x: F.normalize(x, dim=1), {"x": drawn(3, 5)}),
        case("normalize", lambda x: F.normalize(x, dim=1), {"x": [[0.0] * 5, [1e-13] * 5]}),
        case("weight_norm", lambda v, g: torch._weight_norm(v, g, 1), {"v": drawn(5, 3), "g": [drawn(3)]})
        .replace("\ng 1 3", "\ng 3").replace("grad g 1 3", "grad g 3"),
        spectral_norm(),
    ]
    (HERE / "norms.txt").write_text(
        f"# Written by make_norms.py with PyTorch {torch.__version__.split('+')[0]}.\n" + "".join(parts))
    bilinear = lambda x, z, w, b: F.bilinear(x, z, w.permute(2, 0, 1), b)
    parts = [case("Bilinear", bilinear, {"x": drawn(n, 3), "z": drawn(n, 4), "weight": drawn(3, 4, 2), "bias": drawn(2)})
             for n in (5, 1)]
    (HERE / "bilinear.txt").write_text(
        f"# Written by make_norms.py with PyTorch {torch.__version__.split('+')[0]}.\n" + "".join(parts))
