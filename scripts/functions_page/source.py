"""C++ as text, for scripts/functions: literals, comments, brackets, lists."""

import re

PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
# Where a literal or a comment may start, and with that, what counts within a group.
OPAQUE = "/R\"'"
START = re.compile(f"[{OPAQUE}]")
WITHIN = {
    opens: re.compile("[" + re.escape(OPAQUE + opens + closes + "([{" * (opens == "<")) + "]")
    for opens, closes in PAIRS.items()
}


def end_of_opaque(text, at):
    """The end of the literal or comment that starts at `at`, or `at`."""
    if text[at] not in OPAQUE:
        return at
    if text.startswith("//", at):
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    if text.startswith("/*", at):
        return text.index("*/", at) + 2
    if text.startswith('R"', at) and not (at and (text[at - 1].isalnum() or text[at - 1] == "_")):
        mark = text[at + 2 : text.index("(", at)]
        return text.index(")" + mark + '"', at) + len(mark) + 2
    if text[at] == '"' or (text[at] == "'" and not (at and text[at - 1].isalnum())):
        i = at + 1
        while text[i] != text[at]:
            i += 2 if text[i] == "\\" else 1
        return i + 1
    return at


def closing(text, at):
    """The index behind the group that opens at `at`."""
    opens, depth, i = text[at], 0, at
    while match := WITHIN[opens].search(text, i):
        i = match.start()
        end = end_of_opaque(text, i)
        if end > i:
            i = end
            continue
        if opens == "<" and text[i] in "([{":
            i = closing(text, i)
            continue
        if text[i] == opens:
            depth += 1
        elif text[i] == PAIRS[opens] and not (opens == "<" and text[i - 1] == "-"):
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    raise ValueError(f"no end of {text[at:at + 80]!r}")


def one_line(text):
    kept, i = [], 0
    while match := START.search(text, i):
        start = match.start()
        end = end_of_opaque(text, start)
        kept.append(text[i:start])
        if end > start:
            kept.append(" " if text[start] == "/" else text[start:end])
            i = end
        else:
            kept.append(text[start])
            i = start + 1
    return re.sub(r"\s+", " ", "".join([*kept, text[i:]])).strip()


def split_list(text):
    """The parts between commas outside brackets."""
    parts, i, start = [], 0, 0
    while i < len(text):
        end = end_of_opaque(text, i)
        if end > i:
            i = end
        elif text[i] in "([{" or (text[i] == "<" and i and re.match(r"[\w]", text[i - 1])):
            i = closing(text, i)
        else:
            if text[i] == ",":
                parts.append(text[start:i].strip())
                start = i + 1
            i += 1
    return [part for part in [*parts, text[start:].strip()] if part]
