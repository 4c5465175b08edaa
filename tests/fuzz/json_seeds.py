"""Good documents of JSON, from which the target of tests/fuzz starts."""

import json


def documents():
    config = {
        "model_type": "llama",
        "hidden_size": 64,
        "rms_norm_eps": 1e-05,
        "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
        "tie_word_embeddings": False,
        "eos_token_id": [2, 3],
        "torch_dtype": None,
    }
    texts = ["\u00e9 \u20ac \U0001f600", 'a "quoted" \\ text\n\t\x7f\x00', ""]
    nested = []
    for _ in range(62):
        nested = [nested]
    numbers = [0, -1, 2**63 - 1, -(2**63), 0.1, -2.5e-300, 1e308]
    for value in (config, texts, nested, numbers, {"": {"": []}}, True, 7, "text"):
        yield json.dumps(value).encode()
        yield json.dumps(value, ensure_ascii=False, indent=1).encode()
    yield b' [ 1E+2 , -0.0e-1 ,"\\u0041\\ud83d\\ude00\\/" ]\r\n'
