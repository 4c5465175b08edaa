"""Good tokenizers, from which the target of tests/fuzz starts."""

import json

LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False}


def byte_characters():
    hidden = 0x100
    for byte in range(256):
        is_visible = 0x20 < byte < 0x7F or (byte > 0xA0 and byte != 0xAD)
        yield chr(byte if is_visible else hidden)
        hidden += not is_visible


def seed(**parts):
    vocabulary = {text: number for number, text in enumerate(byte_characters())}
    vocabulary.update({"ab": 256, "abc": 257, "aa": 258})
    model = {"type": "BPE", "vocab": vocabulary, "merges": ["a b", ["ab", "c"], "a a"]}
    return {"pre_tokenizer": BYTE_LEVEL, "decoder": {"type": "ByteLevel"}, "model": model, **parts}


def files():
    split = {"type": "Split", "pattern": {"Regex": LLAMA3}, "behavior": "Isolated", "invert": False}
    words = {"type": "Sequence", "pretokenizers": [split, {**BYTE_LEVEL, "use_regex": False}]}
    token = {"id": 259, "content": "<b>", "special": True, "normalized": False}
    single = [{"SpecialToken": {"id": "<b>"}}, {"Sequence": {"id": "A"}}]
    tokens = {"<b>": {"id": "<b>", "ids": [259]}}
    add = {"type": "TemplateProcessing", "single": single, "special_tokens": tokens}
    seeds = [
        seed(),
        seed(pre_tokenizer=words),
        seed(added_tokens=[token], post_processor=add, pre_tokenizer=words),
    ]
    for number, parts in enumerate(seeds):
        yield json.dumps(parts, ensure_ascii=number > 0).encode()
