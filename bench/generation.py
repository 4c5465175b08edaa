#!/usr/bin/env python3
"""Tokens a second of the examples 16_gpt2 and 17_llama, beside the Python package transformers,
and beside llama.cpp for the latter, if the packages llama-cpp-python and gguf are installed.

Usage: generation.py EXAMPLE_16_GPT2 EXAMPLE_17_LLAMA [threads]      (2 threads by default)

Greedy, one text, float32, random weights: GPT-2 of 124 million parameters, and a Llama of 200
million with 16 heads of queries and 4 of keys. Each number is the median of three runs of 64 tokens
after 16 given ones, the given ones included in the time, the loading of the weights not. Needs
torch, transformers.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["HF_HUB_OFFLINE"] = "1"
THREADS = int(sys.argv[3]) if len(sys.argv) > 3 else 2
import torch  # noqa: E402
import transformers  # noqa: E402

transformers.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()
torch.set_num_threads(THREADS)
TOKENS, GIVEN = 64, list(range(100, 116))
LLAMA = dict(
    vocab_size=32000,
    hidden_size=1024,
    intermediate_size=2816,
    num_hidden_layers=12,
    num_attention_heads=16,
    num_key_value_heads=4,
)


def gpt2():
    return transformers.GPT2LMHeadModel(transformers.GPT2Config())


def llama():
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**LLAMA))


def rate(generate):
    """Tokens a second of a function of the number of tokens to generate."""

    def seconds():
        start = time.perf_counter()
        generate(TOKENS)
        return time.perf_counter() - start

    return TOKENS / statistics.median(seconds() for _ in range(3))


def generated(model, count):
    """`count` tokens of transformers after the given ones."""
    tokens = model.generate(
        torch.tensor([GIVEN]),
        max_new_tokens=count,
        min_new_tokens=count,
        do_sample=False,
        pad_token_id=0,
    )
    return tokens[0].tolist()[len(GIVEN) :]


def of_transformers(model):
    generated(model, 4)
    return rate(lambda count: generated(model, count))


def of_llama_cpp(model, folder):
    """None for a model or a machine without it."""
    sys.path.append(str(pathlib.Path(__file__).parent / "peers"))
    try:
        import llama_cpp_model
    except ImportError:
        return None
    if not isinstance(model, transformers.LlamaForCausalLM):
        return None
    llama_cpp_model.write_gguf(model, folder / "model.gguf")
    peer = llama_cpp_model.Model(folder / "model.gguf", THREADS)
    assert peer.generate(GIVEN, 8) == generated(model, 8)
    return rate(lambda count: peer.generate(GIVEN, count))


def of_tenon(program, folder):
    ids = ",".join(str(number) for number in GIVEN)
    environment = {**os.environ, "TENON_THREADS": str(THREADS)}
    command = [program, folder, "--ids", ids, "--tokens", str(TOKENS)]
    rates = []
    for _ in range(3):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        rates.append(float(done.stderr.split()[0]))
    return statistics.median(rates)


def main():
    print(f"{THREADS} threads, load average {os.getloadavg()[0]:.1f}")
    for name, make, program in [("gpt2", gpt2, sys.argv[1]), ("llama", llama, sys.argv[2])]:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            torch.manual_seed(1)
            model = make().eval()
            model.save_pretrained(folder)
            rates = {
                "transformers": of_transformers(model),
                "llama.cpp": of_llama_cpp(model, folder),
                "tenon": of_tenon(program, folder),
            }
            size = sum(weight.numel() for weight in model.parameters()) / 1e6
            shown = ", ".join(f"{who} {value:.1f}" for who, value in rates.items() if value)
            print(f"{name}, {size:.0f} million: {shown} tokens a second")


main()
