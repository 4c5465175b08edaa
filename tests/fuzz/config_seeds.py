"""Good configurations in TOML and YAML, from which the targets of tests/fuzz start."""

TOML = [
    'seed = -1\nbig = "18446744073709551615"\nsingle = 1e-3\nname = "a\\u00e9\\n"\nkind = "two"\n',
    "[inner]\nrate = 1\nsizes = [1, 0x10, 0o7, 0b1]\nflag = true # comment\n",
    "inner.rate = 0.5\ninner.sizes = []\ntext = '''\nliteral'''\n",
    "list = [{rate = 0.1}, {sizes = [2], flag = []}]\ntext = []\n",
    '[[list]]\nrate = 0\n[[list]]\nname = """\nlong \\\n  text"""\n',
    "single = inf\nsingle = nan\nseed = 1979-05-27T07:32:00Z\n",
    "seed= 1--------- 3\n",
    'seed = -="\u00f6"\ninner = 1{rate="\u00f6"}\ntext = 1."\u00f6"\n',
    "\0--seed=3\n--r=0.5\n--inner.sizes=[1,2]\n--inner.flag\n--name\n\n--list=[{rate=1}]\n",
    "\0--inner.sizes=1,2\n--kind\ntwo\n--text=[]\n--single=-inf\n--big=0xff\n",
]

YAML = [
    'seed: -1\nbig: 18446744073709551615\nsingle: 1e-3\nname: "a\\u00e9\\n"\nkind: two\n',
    "inner:\n  rate: 1\n  sizes: [1, 0x10]\n  flag: true # comment\n",
    "inner: {rate: .5, sizes: [], flag: null}\ntext: |\n  block\n  text\n",
    "list:\n- rate: 0.1\n- sizes:\n  - 2\n  - 3\ntext: ~\n",
    "---\nname: >-\n  folded\n  text\n...\n",
    "? seed\n: 1\n'name': 'it''s'\n",
    "%YAML 1.2\n---\nseed: &a 1\nbig: *a\nname: !!str x\n<<: {seed: 1}\n",
]


def toml():
    return [text.encode() for text in TOML]


def yaml():
    return [text.encode() for text in YAML]
