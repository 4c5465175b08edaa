"""The head of a declaration: its template, its kind and its name."""

import re

from source import closing, split_list

WORD = re.compile(r"[A-Za-z_]\w*")
SPECIFIERS = {
    "constexpr",
    "inline",
    "static",
    "explicit",
    "friend",
    "virtual",
    "TENON_INLINE",
    "TENON_RUNTIME",
    "TENON_NOINLINE",
    "TENON_COLD",
    "mutable",
}
OPERATOR = re.compile(
    r"operator\s*(\(\)|\[\]|<<=|>>=|<=>|<<|>>|->|[-+*/%&|^~!=<>]=?|&&|\|\||[\w: &*<>]+)"
    r"\s*(?=\()"
)


def after_constraint(head):
    """The index behind a requires-clause whose expression starts at 0."""
    i = 0
    while True:
        while head[i].isspace():
            i += 1
        if head[i] == "(":
            i = closing(head, i)
        elif match := re.compile(r"requires\s*([({])").match(head, i):
            i = closing(head, match.end() - 1)
            if match[1] == "(":
                i = closing(head, head.index("{", i))
        else:
            while match := re.compile(r"(::)?(template )?\w+").match(head, i):
                i = match.end()
                if head.startswith("<", i):
                    i = closing(head, i)
        rest = re.match(r"\s*(&&|\|\|)", head[i:])
        if not rest:
            return i
        i += rest.end()


def without_template(head):
    """The head without its constraint, and the parameters of its templates."""
    parameters = []
    while match := re.match(r"template\s*<", head):
        end = closing(head, match.end() - 1)
        parameters += split_list(head[match.end() : end - 1])
        head = head[end:].strip()
    if head.startswith("requires"):
        head = head[len("requires") :]
        end = after_constraint(head)
        dispatches = re.search(r"\b(Dispatches|is_dispatched)<", head[:end])
        head = (dispatches[1] + " " if dispatches else "") + head[end:].strip()
    return head, parameters


def without_specifiers(head):
    while True:
        if head.startswith("[["):
            head = head[head.index("]]") + 2 :].strip()
            continue
        word = WORD.match(head)
        if not word or word[0] not in SPECIFIERS:
            return head
        head = head[word.end() :].strip()


def name_of_function(head):
    """The name before the parameters, and the index of their parenthesis; None if there is none."""
    if found := re.search(r"\boperator\b", head):
        match = OPERATOR.match(head, found.start())
        if match:
            symbol = match[1].strip()
            return "operator" + (" " if symbol[0].isalpha() else "") + symbol, match.end()
    i = 0
    while i < len(head):
        if head[i] == "<" and i and (head[i - 1].isalnum() or head[i - 1] == "_"):
            i = closing(head, i)
        elif head[i] == "(":
            name = re.search(r"([A-Za-z_]\w*)\s*$", head[:i])
            if name and name[1] not in ("decltype", "alignas", "requires", "int", "void", "bool"):
                return name[1], i
            i = closing(head, i)
        elif head[i] in "={":
            return None
        else:
            i += 1
    return None


def kind_and_name(head, is_member):
    words = head.split(None, 2)
    if words[0] == "using":
        match = re.match(r"using\s+([\w:]*::)(operator.+|[^\s;=]+)$", head)
        return (
            ("export", head[len("using ") :])
            if match
            else ("alias", re.match(r"using\s+(?:namespace\s+)?(\w+)", head)[1])
        )
    if words[0] == "concept":
        return "concept", words[1]
    if words[0] in ("struct", "class", "union", "enum"):
        head = re.sub(r"^enum\s+(class|struct)", "enum", head)
        head = re.sub(r"alignas\s*\([^)]*\)|\[\[.*?\]\]", "", head)
        match = re.match(r"\w+\s+([A-Za-z_]\w*)\s*(<)?", head)
        if not match or match[2]:
            return "specialisation", ""
        return "class", match[1]
    found = name_of_function(head)
    if found:
        name, at = found
        before = head[:at].strip()
        if before == name and not name.startswith("operator") and not is_member:
            return "guide", name
        return "function", name
    i = 0
    while i < len(head) and head[i] not in "={":
        i = closing(head, i) if head[i] in "<[" else i + 1
    match = re.search(r"\(\*(\w+)\)|([A-Za-z_]\w*)\s*(\[[^]]*\]\s*)?$", head[:i])
    return "variable", (match[1] or match[2]) if match else ""


def declarators(head):
    """The parts of `T a = 1, b` as declarations of their own: `T a = 1`, `T b`."""
    starts, i = [0], 0
    while i < len(head):
        if head[i] in "([{" or re.compile(r"(?<=\w)<(?![<= ])").match(head, i):
            i = closing(head, i)
        elif head[i] in "'\"":
            i = head.index(head[i], i + 1) + 1
        else:
            if head[i] == ",":
                starts.append(i + 1)
            i += 1
    parts = [head[a:b].strip(", ") for a, b in zip(starts, starts[1:] + [len(head)])]
    first = re.match(r"(.*[\s*&>])[A-Za-z_]\w*\s*(?:[=({\[].*)?$", re.split(r"[={]", parts[0])[0])
    return [parts[0], *((first[1] if first else "") + part for part in parts[1:])]
