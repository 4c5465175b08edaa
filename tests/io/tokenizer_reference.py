"""tenon::Tokenizer compared with the Python package tokenizers, on files that it trains.

Usage: tokenizer_reference.py TEST_PROGRAM          (the test program of this folder)
Exit status 77: skipped, as the Python package is missing.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    from tokenizers import AddedToken, Regex, Tokenizer
    from tokenizers import decoders, models, pre_tokenizers, processors, trainers
except ImportError as missing:
    print(f"skipped: {missing}; pip install tokenizers")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
SENTENCES = [
    "Größe wählen, été à la plage",
    "Привет мир, как дела",
    "你好世界 今天天气",
    "😀😃 emoji 👩‍👩‍👧‍👦",
    "I'm we'll they've DON'T x'S 12345 2024",
]
TEXTS = [
    "", " ", "  ", "\n", "\r\n \n", "Hello, world!  It's 2024.", "I'M we'LL x'ſ a'ſt 'S 'RE",
    "1234567 12 ٣٤٥ ½²", "  lead", "trail  ", "tab\t\tx \u00a0\u3000y", "a\u0085b", "été e\u0301",
    "<|begin|>hi<|end|><|en tool to tools", "你好 世界", "😀 👩‍👩‍👧‍👦 🇩🇪", "ſ K Å", "\u200b\u2028\u2029x",
    "'", "''", "' s", "\x00\x01\x7f", "x" * 300, "a\n\n\nb  \n  c", "!!!\n\n??", "#$%&\r\nfoo", "𝟘𝟙 𝐀𝐁",
]  # fmt: skip
CHARACTERS = "aZ 's\n\r\t019.,!?-_é中あ😀\u00a0\u2003ſ\u0301٣½<|>tol"


def trained(kind):
    """A tokenizer with the pre-tokenizer of GPT-2, with a space before a text, or of Llama 3."""
    tokenizer = Tokenizer(models.BPE(ignore_merges=kind == "llama3"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=kind == "spaced")
    if kind == "llama3":
        split = pre_tokenizers.Split(Regex(LLAMA3), "isolated")
        bytes_only = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, bytes_only])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1200,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|begin|>", "<|end|>"],
        show_progress=False,
    )
    corpus = (ROOT / "docs/saving.md").read_text().split("\n") + SENTENCES * 5
    tokenizer.train_from_iterator(corpus, trainer)
    tokenizer.add_tokens([AddedToken("<|en", normalized=True), AddedToken("tool", normalized=True)])
    tokenizer.add_tokens([AddedToken("to", normalized=False)])
    if kind == "llama3":
        begin = ("<|begin|>", tokenizer.token_to_id("<|begin|>"))
        add = processors.TemplateProcessing(single="<|begin|> $A", special_tokens=[begin])
        levels = processors.ByteLevel(trim_offsets=False)
        tokenizer.post_processor = processors.Sequence([levels, add])
    return tokenizer


def is_character(code):
    return not 0xD800 <= code < 0xE000


def texts():
    yield from TEXTS
    number = random.Random(1)
    for _ in range(2000):
        yield "".join(number.choice(CHARACTERS) for _ in range(number.randrange(1, 30)))
    for _ in range(500):
        codes = (number.randrange(0x110000) for _ in range(12))
        yield "".join(chr(code) for code in codes if is_character(code))
    for first in range(0, 0x32000, 64):  # every character of the planes with letters, apart
        yield " ".join(chr(code) for code in range(first, first + 64) if is_character(code))


def ask(program, folder):
    environment = {**os.environ, "TENON_REFERENCE": str(folder)}
    case = "--test-case=for the reference: texts are tokenized"
    done = subprocess.run([program, "--no-skip", case], env=environment, capture_output=True)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    return (folder / "found").read_text().splitlines()


def compare(program, folder, kind):
    tokenizer = trained(kind)
    tokenizer.save(str(folder / "tokenizer.json"))
    all_texts = list(texts())
    lines = "".join(text.encode().hex() + "\n" for text in all_texts)
    (folder / "texts").write_text(lines)
    found = ask(program, folder)
    assert len(found) == len(all_texts), (len(found), len(all_texts))
    for text, line in zip(all_texts, found):
        numbers, decoded = line.split("|")
        wanted = tokenizer.encode(text)
        ids = [int(number) for number in numbers.split()]
        assert ids == wanted.ids, (kind, text, [tokenizer.id_to_token(i) for i in ids], wanted.tokens)
        words = bytes.fromhex(decoded).decode(errors="replace")
        assert words == tokenizer.decode(wanted.ids), (kind, text, words)
    print(f"{kind}: {len(all_texts)} texts")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for kind in ["gpt2", "spaced", "llama3"]:
            compare(sys.argv[1], pathlib.Path(folder), kind)


main()
