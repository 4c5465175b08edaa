"""Good configurations, from which the targets config and yaml start."""

TOML = [
    'seed = 3\nrate = 1e-3\nfast = true\nname = "a\\n\\u00e4"\nkind = "sgd"\n',
    "names = [\"a\", 'b']\n[layer]\ndepth = 2\nrates = [1, inf, -nan, 0x10, 1_000]\n",
    'layer = {depth = 1}\n# a comment\n"seed" = 1\nname = """\nlines\n"""\n',
    "layer.depth = 3\nlayer.rates = [\n  1.5,\n]\n",
]
YAML = [
    "seed: 3\nrate: 1e-3\nfast: true\nname: 'a'\nkind: sgd\n",
    "names: [a, 'b', \"c\\n\"]\nlayer:\n  depth: 2\n  rates:\n    - 1\n    - .inf\n",
    "layer: &a {depth: 1}\nname: |\n  lines\n  more\n",
    "%YAML 1.2\n---\nlayer: {rates: &r [1, .5]}\n...\n",
]


def documents(texts):
    return [text.encode() for text in texts]
