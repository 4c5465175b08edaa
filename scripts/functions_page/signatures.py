"""Declarations as a user reads them, for scripts/functions: `sum<axes>(x, keep)`."""

import re

from heads import name_of_function
from source import closing, split_list

TAGS = {"Keep": "keep", "Descending": "descending"}
STANDARD = re.compile(
    r"(class|typename|template|std::(integral|same_as|convertible_to|floating_point|"
    r"signed_integral|unsigned_integral|invocable|constructible_from|regular|ranges::))"
)
PLAIN = r"(std::|bool$|int$|float$|double$|const$|float16$|bfloat16$|T$)"


class Parameter:
    """`Axes axes = every`, `class... X`, `std::same_as<Keep> K`."""

    def __init__(self, text, concepts):
        left, _, self.default = (part.strip() for part in partition_default(text))
        self.is_pack = "..." in left
        left = re.sub(r"\s*\.\.\.\s*", " ", left).strip()
        match = re.match(r"(.*[\s>*&])([A-Za-z_]\w*)$", left)
        self.constraint, self.name = (match[1].strip(), match[2]) if match else (left, "")
        word = re.match(r"[\w:]+", self.constraint)
        self.is_type = bool(STANDARD.match(self.constraint)) or (
            word is not None and word[0].split("::")[-1] in concepts
        )


def partition_default(text):
    i = 0
    while i < len(text):
        if text[i] in "([{" or (text[i] == "<" and i and re.match(r"\w", text[i - 1])):
            i = closing(text, i)
        elif text[i] == "=" and text[i + 1 : i + 2] != "=" and text[i - 1] not in "=!<>":
            return text[:i], "=", text[i + 1 :]
        else:
            i += 1
    return text, "", ""


def plain_type(text):
    text = re.sub(r"\b(const|typename|tenon::internal::|internal::|tenon::)\b\s*", "", text)
    text = re.sub(r"(tenon::)?internal::(\w+::)*", "", text)
    text = re.sub(r"std::initializer_list<.*>", "{…}", text)
    text = re.sub(r"\s+(?=[*&>])", "", text)
    return re.sub(r"\s*&+", "", text).strip()


def mentions(text, name):
    """Whether the compiler deduces a parameter of this name: not from `R::value_type`."""
    return bool(name) and re.search(rf"\b{name}\b(?!::)", text) is not None


def arguments(text, template):
    """The arguments of a call, each a list of alternatives; and the types of the parameters."""
    shown, types = [], []
    for part in split_list(text):
        left, _, default = (piece.strip() for piece in partition_default(part))
        is_pack = re.search(r"\.\.\.\s*\w*$", left) is not None
        left = re.sub(r"\s*\.\.\.(?=\s*\w*$)", "" if left.endswith("...") else " ", left).strip()
        match = re.match(r"(.*[\s>*&])([A-Za-z_]\w*)$", left)
        kind, name = (match[1].strip(), match[2]) if match else (left, "")
        if kind == "const" or name == "const":
            kind, name = left, ""
        types.append(kind)
        if "SourceLocation" in kind:
            continue
        by_tag = [
            tag
            for tag in TAGS
            if mentions(kind, tag)
            or any(mentions(kind, p.name) and mentions(p.constraint, tag) for p in template)
        ]
        if by_tag:
            shown.append([TAGS[by_tag[0]], None] if kind not in TAGS else [TAGS[by_tag[0]]])
            continue
        is_deduced = any(mentions(kind, p.name) for p in template) or "auto" in kind
        value = f" = {default}" if default and len(default) < 30 else ""
        if is_deduced:
            shown.append([(name or plain_type(kind)) + ("..." if is_pack else "") + value])
        else:
            shown.append([f"{plain_type(kind)} {name}".strip() + value])
    return shown, types


def call_forms(shown):
    """All choices of the optional tags."""
    forms = [[]]
    for alternatives in shown:
        forms = [form + [one] for one in reversed(alternatives) for form in forms]
    return [", ".join(part for part in form if part) for form in forms]


def result_of(head, at, end, template, public):
    before = re.sub(r"\s*\S*$", "", head[:at].rstrip()) if at else ""
    trailing = re.match(r"[^{]*?->\s*([^{]+?)(\s+requires\b.*)?$", head[end:])
    result = trailing[1].strip() if trailing else before.strip()
    known = public | {p.name for p in template if not p.default}
    words = re.findall(r"[A-Za-z_][\w:]*", result)
    if (
        result == "void"
        or not words
        or len(result) > 45
        or any(word not in known and not re.match(PLAIN, word) for word in words)
    ):
        return ""
    return " -> " + plain_type(result)


def of_function(declaration, prefix, concepts, public):
    head = declaration.head
    template = [Parameter(text, concepts) for text in declaration.parameters]
    name, at = name_of_function(head)
    end = closing(head, at)
    shown, types = arguments(head[at + 1 : end - 1], template)
    explicit = [
        p
        for p in template
        if p.name
        and not any(mentions(t, p.name) for t in types)
        and not (p.is_type and p.default)
        and not mentions(p.constraint, "WellFormed")
    ]
    needed = [p for p in explicit if not p.default]
    result = result_of(head, at, end, template, public)
    lines = []
    for call in call_forms(shown):
        for chosen in ([needed, explicit] if len(needed) < len(explicit) else [explicit]):
            names = ", ".join(p.name + ("..." if p.is_pack else "") for p in chosen)
            lines.append(f"{prefix}{name}{f'<{names}>' if names else ''}({call}){result}")
    return lines


def of_operator(declaration, concepts):
    """`x + y`, `-x`."""
    symbol = declaration.name.removeprefix("operator")
    _, at = name_of_function(declaration.head)
    template = [Parameter(text, concepts) for text in declaration.parameters]
    shown, _ = arguments(declaration.head[at + 1 : closing(declaration.head, at) - 1], template)
    names = [form[0].split()[-1] for form in shown]
    return f"{symbol}{names[0]}" if len(names) == 1 else f"{names[0]} {symbol} {names[1]}"


def of_template(declaration, prefix, concepts):
    """`Linear<In, Out, Kind...>`, `keep`, `Float<X, S>`."""
    template = [Parameter(text, concepts) for text in declaration.parameters]
    names = ", ".join(
        p.name + ("..." if p.is_pack else "") + (f" = {plain_type(p.default)}" if p.default else "")
        for p in template
        if p.name
    )
    return f"{prefix}{declaration.name}{f'<{names}>' if names else ''}"
