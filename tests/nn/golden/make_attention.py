#!/usr/bin/env python3
"""Writes attention.txt, multihead_attention.txt and transformer.txt beside it: values and gradients of PyTorch's
scaled_dot_product_attention, MultiheadAttention and layers of transformers, in float64.

    make_attention.py        needs torch (2.5 or later), without a GPU

The form of a case is that of make_losses.py; masks are numbers, 1 where a key is seen.
"""

import pathlib

import torch

from make_losses import line

HERE = pathlib.Path(__file__).resolve().parent


def numbers(*sizes):
    return (torch.randn(*sizes, dtype=torch.float64) * 100).round().div(100).requires_grad_()


def weigh(value):
    return (value * (1 + 0.5 * torch.arange(value.numel(), dtype=torch.float64).view_as(value))).sum()


def case(name, heads, queries, keys, mask=None, seen=None, kv=None, width=3, batch=1, **options):
    q, k, v = numbers(batch, heads, queries, 2), numbers(batch, kv or heads, keys, 2), numbers(batch, kv or heads, keys, width)
    both = mask if seen is None else seen
    scale = options.get("scale")
    value = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=both, enable_gqa=kv is not None, **options)
    weigh(value).backward()
    lines = [f"case {name}" + (f" scale {scale}" if scale else ""), line("value", value)]
    for key, x in ("q", q), ("k", k), ("v", v), ("mask", mask), ("seen", seen):
        if x is not None:
            lines.append(line(key, x.double()))
        if x is not None and x.grad is not None:
            lines.append(line(f"grad {key}", x.grad))
    return "\n".join(lines) + "\n"


def seen_keys(queries, keys):
    """A Boolean mask under which query 1 sees no key."""
    seen = torch.rand(queries, keys) < 0.7
    seen[:, 0] = True
    seen[1] = False
    return seen


def added(*sizes):
    mask = numbers(*sizes).detach()
    mask[..., 1, :] = -torch.inf
    mask[..., 0, 2] = -torch.inf
    return mask.requires_grad_()


def randomise(module):
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(numbers(*parameter.shape))


def layer_case(name, memory=None, weights=False, mask=None, **options):
    """A layer of two heads; a mask is Boolean, True where a key is seen, or added."""
    layer = torch.nn.MultiheadAttention(4, 2, batch_first=True, dtype=torch.float64)
    randomise(layer)
    x = numbers(2, 3, 4)
    other = x if memory is None else numbers(2, memory, 4)
    shown = None if mask is None else ~mask if mask.dtype == torch.bool else mask
    value, seen = layer(x, other, other, attn_mask=shown, need_weights=weights, average_attn_weights=False, **options)
    weigh(value).backward()
    lines = [f"case {name}", line("x", x), line("grad x", x.grad), line("value", value)]
    if memory is not None:
        lines += [line("memory", other), line("grad memory", other.grad)]
    if weights:
        lines.append(line("weights", seen))
    if mask is not None:
        lines.append(line("mask", mask.double()))
    for key, parameter in layer.named_parameters():
        lines += [line(key, parameter), line(f"grad {key}", parameter.grad)]
    return "\n".join(lines) + "\n"


def transformer_case(kind, norm_first, activation, length=3):
    """A layer of two heads; that of a decoder is causal, and has a memory with a mask."""
    layer = getattr(torch.nn, kind)(4, 2, 3, 0.0, activation, batch_first=True, norm_first=norm_first, dtype=torch.float64)
    randomise(layer)
    x, memory, mask = numbers(1, length, 4), numbers(1, 2, 4), numbers(length, 2).detach()
    causal = torch.ones(length, length, dtype=torch.bool).triu(1)
    value = layer(x, memory, tgt_mask=causal, memory_mask=mask) if "Decoder" in kind else layer(x)
    weigh(value).backward()
    lines = [f"case {kind} norm_first {int(norm_first)} gelu {int(activation == 'gelu')}"]
    lines += [line("x", x), line("grad x", x.grad), line("value", value)]
    if "Decoder" in kind:
        lines += [line("memory", memory), line("grad memory", memory.grad), line("mask", mask)]
    for key, parameter in layer.named_parameters():
        lines += [line(key, parameter), line(f"grad {key}", parameter.grad)]
    return "\n".join(lines) + "\n"


def write(file, cases):
    text = f"# Written by make_attention.py with PyTorch {torch.__version__.split('+')[0]}.\n" + "".join(cases)
    (HERE / file).write_text(text)


if __name__ == "__main__":
    torch.manual_seed(5)
    cases = [
        case("plain", 2, 3, 5, batch=2),
        case("plain", 2, 1, 3, scale=0.3),
        case("causal", 2, 5, 5, width=2, is_causal=True),
        case("boolean", 2, 3, 5, seen=seen_keys(3, 5)),
        case("boolean_causal", 2, 5, 5, seen=seen_keys(5, 5) & torch.ones(5, 5, dtype=torch.bool).tril()),
        case("added", 2, 3, 5, mask=added(2, 1, 3, 5), batch=2),
        case("grouped", 6, 3, 4, kv=2, mask=added(6, 3, 4), scale=0.2),
        case("multi_query", 3, 1, 7, kv=1),
    ]
    write("attention.txt", cases)
    causal = torch.ones(3, 3, dtype=torch.bool).tril()
    write("multihead_attention.txt", [
        layer_case("self"),
        layer_case("causal", mask=causal),
        layer_case("boolean", mask=seen_keys(3, 3)),
        layer_case("cross", memory=5, weights=True),
        layer_case("added", memory=2, mask=numbers(4, 3, 2).detach()),
    ])
    write("transformer.txt", [
        transformer_case("TransformerEncoderLayer", False, "relu"),
        transformer_case("TransformerEncoderLayer", True, "gelu"),
        transformer_case("TransformerDecoderLayer", False, "relu"),
        transformer_case("TransformerDecoderLayer", True, "gelu", length=1),
    ])
