#!/usr/bin/env python3
"""Writes recurrent.txt beside it: outputs, last states and gradients of PyTorch's recurrent layers, in float64.

    make_recurrent.py        needs torch (any version from 2.0 on), without a GPU

The form of a case is that of make_losses.py. `value` has all outputs, then the last states. The weights are
transposed: Tenon's have the axes "input gate" and "hidden gate".
"""

import pathlib

import torch

from make_losses import line

HERE = pathlib.Path(__file__).resolve().parent
BATCH, STEPS, INPUT, HIDDEN = 2, 5, 3, 4


def case(kind, with_start):
    torch.manual_seed(7)
    layer = getattr(torch.nn, kind)(INPUT, HIDDEN, batch_first=True, dtype=torch.float64)
    x = torch.randn(BATCH, STEPS, INPUT, dtype=torch.float64, requires_grad=True)
    names = ["h", "c"] if kind == "LSTM" else ["h"]
    start = [torch.randn(BATCH, HIDDEN, dtype=torch.float64, requires_grad=True) for _ in names]
    states = [s[None] for s in start]
    given = (tuple(states) if kind == "LSTM" else states[0],) if with_start else ()
    outputs, last = layer(x, *given)
    last = last if kind == "LSTM" else (last,)
    value = torch.cat([outputs.flatten(), *(state.flatten() for state in last)])
    (value * (1 + 0.5 * torch.arange(value.numel(), dtype=torch.float64))).sum().backward()
    lines = [f"case {kind} start {int(with_start)}", line("x", x), line("value", value), line("grad x", x.grad)]
    for name, parameter in layer.named_parameters():
        short = name.removesuffix("_l0")
        is_matrix = parameter.dim() == 2
        own, gradient = (x.mT if is_matrix else x for x in (parameter, parameter.grad))
        lines += [line(short, own), line(f"grad {short}", gradient)]
    for name, state in zip(names, start) if with_start else ():
        lines += [line(name, state), line(f"grad {name}", state.grad)]
    return "\n".join(lines) + "\n"


def deep_case(kind):
    """Two bidirectional layers over sequences of different lengths; `value` has the outputs, then the last h."""
    torch.manual_seed(8)
    layer = getattr(torch.nn, kind)(2, 2, num_layers=2, bidirectional=True, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.copy_(torch.round(parameter, decimals=2))
    x = torch.round(torch.randn(2, 3, 2, dtype=torch.float64), decimals=2).requires_grad_()
    lengths = torch.tensor([2, 3])
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    outputs, last = layer(packed)
    outputs = torch.nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True)[0]
    value = torch.cat([outputs.flatten(), (last[0] if kind == "LSTM" else last).flatten()])
    (value * (1 + 0.5 * torch.arange(value.numel(), dtype=torch.float64))).sum().backward()
    lines = [f"case deep{kind}", line("x", x), line("lengths", lengths), line("value", value), line("grad x", x.grad)]
    for name, parameter in layer.named_parameters():
        is_matrix = parameter.dim() == 2
        own, gradient = (x.mT if is_matrix else x for x in (parameter, parameter.grad))
        lines += [line(name, own), line(f"grad {name}", gradient)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    cases = [case(kind, start) for kind in ("RNN", "LSTM", "GRU") for start in (False, True)]
    cases += [deep_case("GRU"), deep_case("LSTM")]
    text = f"# Written by make_recurrent.py with PyTorch {torch.__version__.split('+')[0]}.\n" + "".join(cases)
    (HERE / "recurrent.txt").write_text(text)
