"""The scores and all gradients of the GPT example, compared with NumPy in float64.

Usage: parity.py PROGRAM        (examples/12_gpt.cpp; in its own folder)
Exit status 77: skipped, as Python packages are missing.
"""

import math
import pathlib
import subprocess
import sys

try:
    import numpy as np
    from safetensors.numpy import load_file, save_file
except ImportError as missing:
    print(f"skipped: {missing}; pip install numpy safetensors")
    sys.exit(77)

BOUND = 1e-5  # of the largest number of each tensor
erf = np.vectorize(math.erf)


def norm(x, p):
    """Layer norm along the last axis, and the values for its backward."""
    centred = x - x.mean(-1, keepdims=True)
    scale = 1 / np.sqrt((centred**2).mean(-1, keepdims=True) + p["epsilon"])
    return centred * scale * p["weight"] + p["bias"], (centred * scale, scale)


def norm_back(dy, p, grad, saved):
    unit, scale = saved
    grad["weight"] = (dy * unit).sum((0, 1))
    grad["bias"] = dy.sum((0, 1))
    d = dy * p["weight"]
    return scale * (d - d.mean(-1, keepdims=True) - unit * (d * unit).mean(-1, keepdims=True))


def linear_back(x, dy, p, grad):
    grad["weight"] = np.einsum("bti,bto->io", x, dy)
    grad["bias"] = dy.sum((0, 1))
    return dy @ p["weight"].T


def attend(x, p):
    q, k, v = (np.einsum("bte,ehf->bhtf", x, p[name]) for name in ("query", "key", "value"))
    scores = q @ k.transpose(0, 1, 3, 2) / math.sqrt(q.shape[-1])
    length = x.shape[1]
    scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    mixed = weights @ v
    return np.einsum("bhtf,hfe->bte", mixed, p["output"]), (x, q, k, v, weights, mixed)


def attend_back(dy, p, grad, saved):
    x, q, k, v, weights, mixed = saved
    grad["output"] = np.einsum("bhtf,bte->hfe", mixed, dy)
    dmixed = np.einsum("bte,hfe->bhtf", dy, p["output"])
    dweights = dmixed @ v.transpose(0, 1, 3, 2)
    dscores = weights * (dweights - (dweights * weights).sum(-1, keepdims=True))
    dscores /= math.sqrt(q.shape[-1])
    parts = {
        "query": dscores @ k,
        "key": dscores.transpose(0, 1, 3, 2) @ q,
        "value": weights.transpose(0, 1, 3, 2) @ dmixed,
    }
    for name, d in parts.items():
        grad[name] = np.einsum("bte,bhtf->ehf", x, d)
    return sum(np.einsum("bhtf,ehf->bte", d, p[name]) for name, d in parts.items())


def feed(x, p):
    up = x @ p["up"]["weight"] + p["up"]["bias"]
    share = (1 + erf(up / math.sqrt(2))) / 2
    return up * share @ p["down"]["weight"] + p["down"]["bias"], (x, up, share)


def feed_back(dy, p, grad, saved):
    x, up, share = saved
    grad["up"], grad["down"] = {}, {}
    d = linear_back(up * share, dy, p["down"], grad["down"])
    d = d * (share + up * np.exp(-(up**2) / 2) / math.sqrt(2 * math.pi))
    return linear_back(x, d, p["up"], grad["up"])


def forward(model, text):
    """The scores of every token at every position, and the values for backward."""
    saved = []
    x = model["words"]["weight"][text] + model["places"]["weight"][: text.shape[1]]
    for p in model["blocks"].values():
        normed, norm1 = norm(x, p["attention_norm"])
        y, attention = attend(normed, p["attention"])
        x = x + y
        normed, norm2 = norm(x, p["feed_forward_norm"])
        y, thought = feed(normed, p["feed_forward"])
        x = x + y
        saved.append((norm1, attention, norm2, thought))
    normed, last = norm(x, model["norm"])
    return normed @ model["head"]["weight"] + model["head"]["bias"], (saved, normed, last)


def block_back(dx, p, grad, saved):
    norm1, attention, norm2, thought = saved
    for name in p:
        grad[name] = {}
    d = feed_back(dx, p["feed_forward"], grad["feed_forward"], thought)
    dx = dx + norm_back(d, p["feed_forward_norm"], grad["feed_forward_norm"], norm2)
    d = attend_back(dx, p["attention"], grad["attention"], attention)
    return dx + norm_back(d, p["attention_norm"], grad["attention_norm"], norm1)


def backward(model, text, answer, scores, kept):
    """The gradients of the mean cross-entropy of the targets of the last tokens."""
    saved, normed, last = kept
    grad = {"words": {}, "places": {}, "blocks": {}, "norm": {}, "head": {}}
    asked = answer.shape[1]
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    dscores = np.zeros_like(scores)
    dscores[:, -asked:] = shares[:, -asked:] - np.eye(scores.shape[-1])[answer]
    dx = linear_back(normed, dscores / answer.size, model["head"], grad["head"])
    dx = norm_back(dx, model["norm"], grad["norm"], last)
    for i in reversed(range(len(saved))):
        grad["blocks"][str(i)] = {}
        dx = block_back(dx, model["blocks"][str(i)], grad["blocks"][str(i)], saved[i])
    places = np.broadcast_to(np.arange(text.shape[1]), text.shape)
    for name, at in (("words", text), ("places", places)):
        grad[name]["weight"] = np.zeros_like(model[name]["weight"])
        np.add.at(grad[name]["weight"], at, dx)
    return grad


def nested(flat):
    """{"a.b": x} as {"a": {"b": x}}, in float64."""
    tree = {}
    for name, value in flat.items():
        *above, leaf = name.split(".")
        node = tree
        for part in above:
            node = node.setdefault(part, {})
        node[leaf] = value.astype(np.float64)
    return tree


def flattened(tree, before=""):
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from flattened(value, before + name + ".")
        else:
            yield before + name, value


def compare(name, found, wanted):
    """The error of a tensor relative to its largest number."""
    assert found.shape == wanted.shape, (name, found.shape, wanted.shape)
    error = np.abs(found - wanted).max() / max(np.abs(wanted).max(), 1e-30)
    assert error < BOUND, f"{name}: off by {error:.2g} of its largest number"
    return error


def compare_batch(program, checkpoint, model, batch, length, asked):
    """One lesson, computed by both."""
    words = model["words"]["weight"].shape[0]
    draw = np.random.default_rng([batch, length])
    lesson = {
        "text": draw.integers(0, words, (batch, length), dtype=np.int32),
        "answer": draw.integers(0, words, (batch, asked), dtype=np.int32),
    }
    save_file(lesson, "lesson.safetensors")
    asks = ["--resume", checkpoint, "--lesson", "lesson.safetensors", "--export", "comparison"]
    subprocess.run([program, *asks], check=True)
    scores, kept = forward(model, lesson["text"])
    found = load_file("comparison/scores.safetensors")["value"]
    worst = [compare("scores", found, scores)]
    gradients = load_file("comparison/gradients.safetensors")
    wanted = dict(flattened(backward(model, **lesson, scores=scores, kept=kept)))
    learned = {name for name in gradients if not name.endswith("epsilon")}
    assert learned == wanted.keys(), learned ^ wanted.keys()
    worst += [compare(name, gradients[name], wanted[name]) for name in wanted]
    print(f"{batch} x {length}, {asked} asked: {len(worst)} tensors, worst {max(worst):.1e}")


def main(program):
    pathlib.Path("text").write_bytes(pathlib.Path(__file__).read_bytes())
    addition = [], ((1, 1), (8, 3), (16, 16))  # arguments; lengths, and how many tokens are asked
    reading = ["--text", "text", "--length", "40", "--sample", "0"], ((1, 1), (17, 17), (40, 7))
    for task, lengths in (addition, reading):
        run = [program, "--steps", "30", "--batch", "8", "--tag", "parity", *task]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
        folder = max(pathlib.Path("runs").glob("*_parity*"), key=lambda one: one.stat().st_mtime)
        checkpoint = folder / "checkpoints" / "checkpoint_step_030.safetensors"
        model = nested(load_file(folder / "model.safetensors"))
        for batch in (1, 5):
            for length, asked in lengths:
                compare_batch(program, checkpoint, model, batch, length, asked)


main(sys.argv[1])
