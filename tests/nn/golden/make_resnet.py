#!/usr/bin/env python3
"""Writes resnet18.safetensors and bottleneck.safetensors beside it: states with the names of torchvision's, random
numbers, and what PyTorch computes with them in float32. The numbers of ResNet-18 are in float16.

    make_resnet.py        needs torch (any version from 2.0 on), without a GPU

The networks have torchvision's structure with few channels. `image` and `logits`, `x` and `value` are an operand and
its result in evaluation; `trained.value` is the result in training, after which the state is that under `trained.`.
"""

import json
import pathlib
import struct

import torch
from torch import nn

HERE = pathlib.Path(__file__).resolve().parent


def conv(channels, out, size, stride=1):
    return nn.Conv2d(channels, out, size, stride, size // 2, bias=False)


class BasicBlock(nn.Module):
    def __init__(self, channels, out, stride):
        super().__init__()
        self.conv1, self.bn1 = conv(channels, out, 3, stride), nn.BatchNorm2d(out)
        self.conv2, self.bn2 = conv(out, out, 3), nn.BatchNorm2d(out)
        self.downsample = None
        if stride != 1 or channels != out:
            self.downsample = nn.Sequential(conv(channels, out, 1, stride), nn.BatchNorm2d(out))

    def forward(self, x):
        y = self.bn2(self.conv2(self.bn1(self.conv1(x)).relu()))
        return (y + (self.downsample(x) if self.downsample else x)).relu()


class Bottleneck(nn.Module):
    def __init__(self, channels, width, stride):
        super().__init__()
        self.conv1, self.bn1 = conv(channels, width, 1), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = conv(width, width, 3, stride), nn.BatchNorm2d(width)
        self.conv3, self.bn3 = conv(width, 4 * width, 1), nn.BatchNorm2d(4 * width)
        self.downsample = nn.Sequential(conv(channels, 4 * width, 1, stride), nn.BatchNorm2d(4 * width))

    def forward(self, x):
        y = self.bn2(self.conv2(self.bn1(self.conv1(x)).relu())).relu()
        return (self.bn3(self.conv3(y)) + self.downsample(x)).relu()


class ResNet18(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        channels = width
        for number in range(4):
            out = width << number
            blocks = BasicBlock(channels, out, 1 if number == 0 else 2), BasicBlock(out, out, 1)
            setattr(self, f"layer{number + 1}", nn.Sequential(*blocks))
            channels = out
        self.fc = nn.Linear(channels, classes)

    def forward(self, x):
        x = self.maxpool(self.bn1(self.conv1(x)).relu())
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(x.mean((2, 3)))


def randomize(model):
    """Statistics and weights of norms as after training, all different; weights as torchvision draws them."""
    for part in model.modules():
        if isinstance(part, nn.Conv2d):
            nn.init.kaiming_normal_(part.weight, mode="fan_out", nonlinearity="relu")
        if isinstance(part, nn.BatchNorm2d):
            for tensor, centre in ((part.weight, 1), (part.bias, 0), (part.running_mean, 0), (part.running_var, 1)):
                tensor.data.uniform_(centre - 0.3, centre + 0.3)
    return model.half().float().eval()


def save(path, tensors):
    header, data = {}, b""
    for name, tensor in tensors.items():
        raw = tensor.detach().contiguous().numpy().tobytes()
        dtype = {torch.float32: "F32", torch.float16: "F16", torch.int64: "I64"}[tensor.dtype]
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    (HERE / path).write_bytes(struct.pack("<Q", len(text)) + text + data)


if __name__ == "__main__":
    torch.manual_seed(1)
    model, image = randomize(ResNet18(2, 5)), torch.randn(1, 3, 32, 32).half()
    entries = {name: t.half() if t.is_floating_point() else t for name, t in model.state_dict().items()}
    save("resnet18.safetensors", {**entries, "image": image, "logits": model(image.float())})
    block, x = randomize(Bottleneck(6, 2, 2)), torch.randn(2, 6, 5, 4)
    entries = {**block.state_dict(), "x": x, "value": block(x)}
    entries = {name: tensor.clone() for name, tensor in entries.items()}
    entries["trained.value"] = block.train()(x)
    entries.update({f"trained.{name}": tensor for name, tensor in block.state_dict().items()})
    save("bottleneck.safetensors", entries)
