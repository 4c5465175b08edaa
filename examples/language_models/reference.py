"""The examples of GPT-2 and Llama compared with the Python package transformers.

Usage: reference.py EXAMPLE_16_GPT2 EXAMPLE_17_LLAMA

Small random models: scores within 1e-4, and the same tokens for 64 greedy steps; from one file of
float32, and from several of bfloat16 and float16. Then the same text from a prompt, by a tokenizer
that is trained here. Exit status 77: skipped, as Python packages are missing.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
try:
    import torch
    import transformers
    from safetensors.torch import load_file
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
except ImportError as missing:
    print(f"skipped: {missing}; pip install torch transformers tokenizers safetensors")
    sys.exit(77)

transformers.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()
WORDS = 600
GPT2 = dict(vocab_size=WORDS, n_positions=128, n_embd=48, n_layer=3, n_head=4)
LLAMA = dict(
    vocab_size=WORDS,
    hidden_size=64,
    intermediate_size=100,
    num_hidden_layers=3,
    num_attention_heads=8,
    num_key_value_heads=2,
    max_position_embeddings=256,
)
LLAMA3_ROTARY = dict(
    rope_type="llama3",
    rope_theta=500000.0,
    factor=8.0,
    low_freq_factor=1.0,
    high_freq_factor=4.0,
    original_max_position_embeddings=16,
)
MODELS = {  # name: the example, the model
    "gpt2": (0, lambda: gpt2()),
    "grouped": (1, lambda: llama()),
    "llama3_rotary": (1, lambda: llama(rope_parameters=LLAMA3_ROTARY)),
    "tied": (1, lambda: llama(tie_word_embeddings=True, head_dim=16, num_key_value_heads=8)),
}


def gpt2():
    ends = dict(bos_token_id=0, eos_token_id=0)
    return transformers.GPT2LMHeadModel(transformers.GPT2Config(**GPT2, **ends))


def llama(**others):
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**{**LLAMA, **others}))


def randomise(model):
    """Weights with which scores differ much from word to word."""
    torch.manual_seed(1)
    for weight in model.parameters():
        mean = 0.0 if weight.dim() > 1 else weight.mean().item()
        torch.nn.init.normal_(weight, mean=mean, std=0.12)
    return model.eval()


def ask(program, folder, *arguments):
    done = subprocess.run([program, folder, *arguments], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def numbers(ids):
    return ",".join(str(number) for number in ids)


def greedy(model, ids, count):
    """The tokens that follow, without an end."""
    model.generation_config.eos_token_id = None
    return model.generate(
        torch.tensor([ids]), max_new_tokens=count, do_sample=False, pad_token_id=0
    )[0, len(ids) :].tolist()


def compare(program, folder, model):
    """The scores and the greedy tokens of the model that the folder has."""
    ids = torch.randint(1, WORDS, (30,), generator=torch.Generator().manual_seed(1)).tolist()
    scores = folder / "scores.safetensors"
    ask(program, folder, "--ids", numbers(ids), "--scores", scores)
    with torch.no_grad():
        wanted = model(torch.tensor([ids])).logits[0]
    error = (load_file(scores)["value"] - wanted).abs().max().item()
    assert error < 1e-4, error
    found = ask(program, folder, "--ids", numbers(ids[:8]), "--tokens", "64")
    following = greedy(model, ids[:8], 64)
    assert [int(number) for number in found.split()] == following, (found, following)
    return error, len(set(following))


def compare_files(program, folder, make):
    """One file of float32, then several of the 16-bit dtypes."""
    model = randomise(make())
    for dtype, size in [("float32", "1GB"), ("bfloat16", "100KB"), ("float16", "100KB")]:
        place = folder / dtype
        model.to(getattr(torch, dtype)).save_pretrained(place, max_shard_size=size)
        loaded = type(model).from_pretrained(place, dtype=torch.float32).eval()
        files = len(list(place.glob("*.safetensors")))
        assert (files > 2) == (dtype != "float32"), files
        error, words = compare(program, place, loaded)
        print(f"{folder.name} {dtype}, {files} files: error {error:.1e}, {words} different tokens")


def compare_text(program, folder):
    """From a prompt to a text."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=WORDS, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([__doc__, pathlib.Path(__file__).read_text()], trainer)
    tokenizer.save(str(folder / "tokenizer.json"))
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    prompt = "The same text, été 2024 😀"
    ids = tokenizer.encode(prompt).ids
    following = greedy(model, ids, 40)
    if 0 in following:
        following = following[: following.index(0)]
    found = ask(program, folder, "--prompt", prompt, "--tokens", "40").decode(errors="replace")
    wanted = prompt + tokenizer.decode(following) + "\n"
    assert found.replace("\ufffd", "") == wanted.replace("\ufffd", ""), (found, wanted)
    print(f"text: {len(following)} tokens")


def main():
    programs = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for name, (example, make) in MODELS.items():
            place = pathlib.Path(folder) / name
            compare_files(programs[example], place, make)
        compare_text(programs[0], pathlib.Path(folder) / "gpt2" / "float32")


main()
