#!/usr/bin/env python3
"""Writes a state of torchvision's resnet18, with its names and sizes and random numbers.

    write_resnet18.py FOLDER               needs Python alone
    write_resnet18.py FOLDER --reference   also computes resnet18_logits.f32; needs torchvision

FOLDER gets resnet18.safetensors, and example.safetensors: an image and the logits that torchvision
computes of it with this state, which are stored beside this script.
"""

import array
import json
import math
import pathlib
import random
import struct
import sys

LOGITS = pathlib.Path(__file__).resolve().parent / "resnet18_logits.f32"


def norm(name, channels):
    for part in "weight", "bias", "running_mean", "running_var":
        yield f"{name}.{part}", (channels,)
    yield f"{name}.num_batches_tracked", ()


def conv_norm(conv, bn, out, channels, size):
    yield f"{conv}.weight", (out, channels, size, size)
    yield from norm(bn, out)


def layout():
    """The names and sizes of the state."""
    yield from conv_norm("conv1", "bn1", 64, 3, 7)
    channels = 64
    for layer, out in enumerate((64, 128, 256, 512), 1):
        for block in "01":
            name = f"layer{layer}.{block}"
            yield from conv_norm(f"{name}.conv1", f"{name}.bn1", out, channels, 3)
            yield from conv_norm(f"{name}.conv2", f"{name}.bn2", out, out, 3)
            if channels != out:
                down = f"{name}.downsample"
                yield from conv_norm(f"{down}.0", f"{down}.1", out, channels, 1)
            channels = out
    yield "fc.weight", (1000, 512)
    yield "fc.bias", (1000,)


def draw(name, sizes, source):
    """The elements: kernels by Kaiming's rule, norms as after training, all different."""
    if not sizes:
        return array.array("q", [1])
    centre = float(name.endswith("running_var") or len(sizes) == 1 and name.endswith("weight"))
    bound = 0.3
    if len(sizes) == 4:
        bound = math.sqrt(6 / (sizes[0] * sizes[2] * sizes[3]))
    elif name.startswith("fc"):
        bound = 1 / math.sqrt(512)
    drawn = source.random
    return array.array("f", (centre + bound * (2 * drawn() - 1) for _ in range(math.prod(sizes))))


def save(path, tensors):
    """name -> (sizes, elements) as safetensors."""
    header, end = {}, 0
    for name, (sizes, elements) in tensors.items():
        begin, end = end, end + len(elements) * elements.itemsize
        dtype = {"f": "F32", "q": "I64"}[elements.typecode]
        header[name] = {"dtype": dtype, "shape": sizes, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, elements in tensors.values():
            elements.tofile(file)


def reference(state, image):
    """The logits of torchvision."""
    import torch
    import torchvision

    def tensor(sizes, elements):
        return torch.tensor(elements).reshape(sizes)

    model = torchvision.models.resnet18().eval()
    model.load_state_dict({name: tensor(*value) for name, value in state.items()})
    with torch.no_grad():
        return array.array("f", model(tensor(*image))[0].tolist())


def main(folder, options):
    folder.mkdir(parents=True, exist_ok=True)
    source = random.Random(1)
    state = {name: (sizes, draw(name, sizes, source)) for name, sizes in layout()}
    count = 3 * 224 * 224
    image = (1, 3, 224, 224), array.array("f", (4 * source.random() - 2 for _ in range(count)))
    if options == ["--reference"]:
        LOGITS.write_bytes(reference(state, image).tobytes())
    save(folder / "resnet18.safetensors", state)
    logits = (1, 1000), array.array("f", LOGITS.read_bytes())
    save(folder / "example.safetensors", {"image": image, "logits": logits})


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), sys.argv[2:])
