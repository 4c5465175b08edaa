"""The work of bench/gpu/*.cpp by PyTorch on the same card, with the same lines of output."""

import os
import statistics
import sys
import time

try:
    import torch
except ImportError as error:
    print(f"skipped: {sys.executable} has no PyTorch: {error}")
    sys.exit(77)

TINY = "TENON_GPU_TINY" in os.environ
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
if DEVICE == "cpu" and not TINY:  # the processor is no peer of a card
    print(f"skipped: PyTorch {torch.__version__} has no CUDA device")
    sys.exit(77)

from torch import nn
from torch.nn import functional as F


def size_of(usual, tiny):
    return tiny if TINY else usual


def wait():
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def seconds_of(work, times):
    start = time.perf_counter()
    for _ in range(times):
        work()
    wait()
    return (time.perf_counter() - start) / times


def measure(name, work):
    seconds_of(work, 1)
    once = seconds_of(work, 1 if TINY else 3)
    times = 1 if TINY else int(min(max(0.02 / once, 1), 2000))
    middle = statistics.median(seconds_of(work, times) for _ in range(1 if TINY else 9))
    print(f"time {name} {middle:.9g} 0 0", flush=True)


def random(*sizes, dtype=torch.float32):
    return torch.randn(*sizes, device=DEVICE).to(dtype)


def elementwise():
    n = size_of(1 << 26, 1000)
    a, b, c = random(n), random(n), random(n)
    measure("relu(a*b+c)", lambda: torch.relu(a * b + c))
    measure("gelu", lambda: F.gelu(a))
    x, y = a.bfloat16(), b.bfloat16()
    measure("a*b+a,bfloat16", lambda: x * y + x)


def small():
    a, b, c = random(1024), random(1024), random(1024)
    measure("relu(a*b+c),1024", lambda: torch.relu(a * b + c))


def rows():
    a = random(size_of(8192, 8), size_of(4096, 100))
    measure("softmax", lambda: torch.softmax(a, 1))
    measure("sum_of_rows", lambda: a.sum(1))
    measure("sum_of_columns", lambda: a.sum(0))
    measure("sum_of_all", lambda: a.sum())
    measure("transpose", lambda: a.t().contiguous())


def copy():
    a = random(size_of(1 << 28, 1000))
    b = torch.empty_like(a)
    measure("copy_of_the_device", lambda: b.copy_(a))


def products():
    for name, dtype in (("float", torch.float32), ("bfloat16", torch.bfloat16)):
        for n in (size_of(1024, 33), size_of(4096, 65)):
            a, b = random(n, n, dtype=dtype), random(n, n, dtype=dtype)
            measure(f"matmul_{n},{name}", lambda: a @ b)


def attention():
    shape = (size_of(8, 1), size_of(12, 2), size_of(1024, 40), size_of(64, 16))
    q, k, v, adjoint = (random(*shape) for _ in range(4))
    call = lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True)
    measure("attention", call)
    for x in (q, k, v):
        x.requires_grad_()
    measure("attention_with_gradient", lambda: torch.autograd.grad(call(), (q, k, v), adjoint))


def optimiser(parameters, **more):
    return torch.optim.AdamW(parameters, lr=1e-3, fused=DEVICE == "cuda", **more)


def adamw():
    x = random(size_of(1 << 25, 1000)).requires_grad_()
    x.grad = random(*x.shape)
    adam = optimiser([x])
    measure("adamw", adam.step)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.LayerNorm(128), nn.LayerNorm(128)
        self.projections, self.out = nn.Linear(128, 384), nn.Linear(128, 128)
        self.feed = nn.Sequential(nn.Linear(128, 512), nn.GELU(), nn.Linear(512, 128))

    def forward(self, x):
        batch, length, _ = x.shape
        heads = self.projections(self.first(x)).view(batch, length, 3, 4, 32).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(heads[0], heads[1], heads[2], is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(x.shape))
        return x + self.feed(self.second(x))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(256, 128), nn.Embedding(64, 128)
        self.blocks = nn.Sequential(*(Block() for _ in range(4)))
        self.norm, self.head = nn.LayerNorm(128), nn.Linear(128, 256)

    def forward(self, tokens):
        place = torch.arange(tokens.shape[1], device=tokens.device)
        return self.head(self.norm(self.blocks(self.words(tokens) + self.places(place))))


def gpt():
    tokens = torch.randint(0, 256, (size_of(32, 1), size_of(64, 5)), device=DEVICE)
    answers = (tokens * 5 + 1) % 256
    model = Gpt().to(DEVICE)

    def step(adam):
        adam.zero_grad()
        F.cross_entropy(model(tokens).flatten(0, 1), answers.flatten()).backward()
        adam.step()

    adam = optimiser(model.parameters())
    measure("gpt_step", lambda: step(adam))
    if DEVICE == "cuda":
        adam = optimiser(model.parameters(), capturable=True)
        measure("gpt_step,captured", captured(lambda: step(adam)).replay)


def captured(step):
    """The kernels of a step as one CUDA graph; PyTorch asks for calls before it on a stream."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    stream.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph


def main():
    print(f"device {torch.cuda.get_device_name() if DEVICE == 'cuda' else 'cpu'}")
    print(f"version {torch.__version__}", flush=True)
    failures = 0
    for part in (copy, elementwise, small, rows, products, attention, adamw, gpt):
        try:
            part()
        except Exception as error:  # the other parts still run
            failures += 1
            print(f"error {part.__name__} {' '.join(str(error).split())}", flush=True)
    return failures


sys.exit(main())
