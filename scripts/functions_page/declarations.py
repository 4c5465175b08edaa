"""Reads the declarations of a C++ header with their docstrings (`///`), for scripts/functions.

This is no compiler: it knows the forms that the headers of Tenon use.
"""

import dataclasses
import re

from heads import (
    after_constraint,
    declarators,
    kind_and_name,
    name_of_function,
    without_specifiers,
    without_template,
)
from source import closing, end_of_opaque, one_line


@dataclasses.dataclass
class Declaration:
    namespace: str
    kind: str  # function, class, alias, concept, variable, export, member kinds the same
    name: str
    head: str  # in one line, without template and body
    parameters: list  # of the template, as text
    doc: str
    module_doc: str
    body: str  # of a class
    has_body: bool
    line: int
    is_public: bool = True
    is_static: bool = False


def after_initialisers(text, at):
    """The index behind `: a(b), c{d}`, which starts at `at`."""
    i = at
    while match := re.compile(r"[:,\s]*[\w:]+\s*(?=[<({])").match(text, i):
        i = match.end()
        if text[i] == "<":
            i = closing(text, i)
        i = closing(text, i)
        if not re.match(r"(\s*\.\.\.)?\s*,", text[i:]):
            return i
    return i + 1


def is_requirement(head):
    """Whether a brace behind the head opens a requires-expression, not a body."""
    if head.endswith("requires"):
        return True
    starts = [
        match
        for match in re.finditer(r"\brequires\s*(?=\()", head)
        if closing(head, match.end()) == len(head)
    ]
    return (
        bool(starts)
        and re.search(r"(=|\(|&&|\|\||,|\brequires|\breturn)\s*$", head[: starts[-1].start()])
        is not None
    )


def end_of_declaration(text, at):
    """The ends of the head and of the declaration that starts at `at`, and its body."""
    i = at
    while match := re.compile(r"\s*template\s*<").match(text, i):
        i = closing(text, match.end() - 1)
    if match := re.compile(r"\s*requires\b").match(text, i):
        i = match.end() + after_constraint(text[match.end() :])
    while True:
        end = end_of_opaque(text, i)
        if end > i:
            i = end
        elif text[i] in "([":
            i = closing(text, i)
        elif text[i] == ";":
            return i, i + 1, None
        elif text.startswith("::", i):
            i += 2
        elif text[i] == ":" and text[at:i].rstrip()[-1:] == ")":
            i = after_initialisers(text, i)
        elif text[i] == "{":
            head = one_line(text[at:i])
            bare = without_template(head)[0]
            bare = without_specifiers(bare) if bare else bare
            end = closing(text, i)
            if is_requirement(head) or re.match(r"(concept|using)\b", bare):
                i = end
                continue
            if re.match(r"(struct|class|union|enum)\b", bare):
                return i, text.index(";", end) + 1, text[i + 1 : end - 1]
            if name_of_function(bare):
                return i, end, text[i + 1 : end - 1]
            i = end
        else:
            i += 1


def read(text, namespace="", is_member=False, is_public=True):
    """All declarations of a header, or of the body of a class."""
    text = re.sub(r"^[ ]*#(.*\\\n)*.*$", "", text, flags=re.M)  # without the preprocessor's lines
    found, scopes, doc, module_doc, i = [], [namespace], [], "", 0
    while i < len(text):
        if text[i].isspace():
            if text.startswith("\n\n", i):
                if doc and re.match(r"\s*namespace", text[i:]) is None:
                    module_doc, doc = module_doc or "\n".join(doc), []
            i += 1
        elif text.startswith("//", i):
            end = end_of_opaque(text, i)
            line = text[i:end]
            if line.startswith("///<"):
                if found:
                    last = [d for d in found if d.line == found[-1].line]  # declared together
                    for each in last:
                        each.doc = (each.doc + "\n" + line[4:].strip()).strip()
                    # Further lines of the same remark.
                    while more := re.match(r"\n[ ]+///(<)?(?= )([^\n]*)", text[end:]):
                        column = len(text[:i].rsplit("\n", 1)[-1])
                        if len(more[0].split("///")[0]) - 1 != column:
                            break
                        for each in last:
                            each.doc += "\n" + more[2].strip()
                        end += more.end()
            elif line.startswith("///"):
                doc.append(line[3:].removeprefix(" "))
            i = end
        elif match := re.compile(r"(inline\s+)?namespace\s+([\w:]+)\s*\{").match(text, i):
            scopes.append("::".join(filter(None, [scopes[-1], match[2]])))
            if doc:
                module_doc, doc = "\n".join(doc), []
            i = match.end()
        elif text[i] == "}":
            scopes.pop()
            i, doc = i + 1, []
        elif match := re.compile(r"(public|private|protected)\s*:(?!:)").match(text, i):
            is_public, i = match[1] == "public", match.end()
        elif match := re.compile(r'extern "C"\s*(?=\{)').match(text, i):
            i, doc = closing(text, match.end()), []
        elif match := re.compile(
            r"(friend|static_assert|extern template|using namespace|namespace)\b"
        ).match(text, i):
            i, doc = end_of_declaration(text, i)[1], []
        else:
            head_end, end, body = end_of_declaration(text, i)
            head, parameters = without_template(one_line(text[i:head_end]))
            bare = without_specifiers(head)
            is_field = is_member and bare and kind_and_name(bare, True)[0] == "variable"
            for part in declarators(bare) if is_field else [bare] if bare else []:
                found.append(
                    Declaration(
                        scopes[-1],
                        *kind_and_name(part, is_member),
                        part,
                        parameters,
                        "\n".join(doc),
                        module_doc,
                        body or "",
                        body is not None,
                        text.count("\n", 0, i) + 1,
                        is_public,
                        bool(re.match(r"(inline |constexpr )*static\b", head)),
                    )
                )
            i, doc = end, []
    return found
