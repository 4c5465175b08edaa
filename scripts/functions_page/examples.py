"""Examples for docs/functions.md: statements of tests/docs/functions_*_test.cpp."""

import re
import textwrap

from source import closing


def paragraphs(text):
    """The groups of lines between blank lines, inside the test cases of a file."""
    found = []
    for match in re.finditer(r"^TEST_CASE\(.*?\)\s*(?=\{)", text, re.M | re.S):
        body = text[match.end() + 1 : closing(text, match.end()) - 1]
        found += [
            textwrap.dedent(part).strip("\n") for part in re.split(r"\n\s*\n", body.strip("\n"))
        ]
    return [part for part in found if part.strip()]


def of_subject(text, title):
    """The test case that is named after a subject, or the file where there is none."""
    for match in re.finditer(r"^TEST_CASE\((.*?)\)\s*(?=\{)", text, re.M | re.S):
        if match[1] == f'"{title}"':
            return text[match.start() : closing(text, match.end())]
    return text


def statements(paragraph):
    """The statements of a paragraph, each as a list of lines."""
    found, lines, depth = [], [], 0
    for line in paragraph.split("\n"):
        bare = re.sub(r'"(\\.|[^"\\])*"', '""', line)
        bare = re.sub(r"//.*", "", bare)
        lines.append(line)
        depth += sum(bare.count(c) for c in "([{") - sum(bare.count(c) for c in ")]}")
        if depth == 0 and bare.rstrip().endswith((";", "}")):
            found.append(lines)
            lines = []
    return [*found, lines] if lines else found


def is_check(statement):
    return re.match(r"\s*(CHECK|prints|static_assert)", statement[0]) is not None


def example(name, prefix, text):
    """The first statement that uses a name, with what it needs of its paragraph."""
    if name.startswith("operator"):
        return ""
    before = r"(?<![\w.:])" if not prefix else rf"(?<![\w.]){re.escape(prefix)}"
    after = "" if name[0].isupper() else r"(?=\s*[<>({;),])"
    use = re.compile(before + rf"{re.escape(name)}\b" + after)
    for paragraph in paragraphs(text):
        parts = statements(paragraph)
        at = next(
            (
                i
                for i, part in enumerate(parts)
                if use.search(re.sub(r'"(\\.|[^"\\])*"|//.*', '""', "\n".join(part)))
            ),
            None,
        )
        if at is None:
            continue
        first, last = at, at
        while first > 0 and not is_check(parts[first - 1]):
            first -= 1
        while last + 1 < len(parts) and not is_check(parts[last]):
            last += 1
        return "\n".join(line for part in parts[first : last + 1] for line in part)
    return ""


def preamble(text):
    """The constants of the file that its examples use."""
    lines = re.findall(r"^[A-Z]\w*<.*> const \w+\{.*\};$", text, re.M)
    block = "\n".join(lines)
    if not block:  # of ranks: what the first test case begins with
        block = next(
            (part for part in paragraphs(text) if part.startswith("World const world;")), ""
        )
        return "\n".join(line for line in block.split("\n") if not line.startswith("CHECK"))
    return block if block in text else ""
