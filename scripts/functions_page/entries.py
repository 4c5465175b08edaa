"""The public names of the headers, for scripts/functions and scripts/module."""

import pathlib
import re

import declarations

INCLUDE = pathlib.Path(__file__).resolve().parent.parent.parent / "include" / "tenon"
PUBLIC = re.compile(r"tenon(::(?!internal\b|op\b|compile_error\b)\w+)*$")
DIAGNOSTIC = re.compile(
    r"FirstMistake|\bRefused<|^Dispatches |^is_dispatched |\b(?:compile_)?error::"
    r"|[Mm]istake\b|Mistake<|_mistake|= delete$|= deleted$"
)


def is_diagnostic(declaration):
    """A declaration that names an error, or dispatches: it repeats one for tensors."""
    texts = [declaration.head, *declaration.parameters]
    return declaration.kind == "function" and (
        (declaration.parameters and not declaration.has_body)
        or any(re.match(r"(IllFormed|Mistake)\b", text) for text in declaration.parameters)
        or any(DIAGNOSTIC.search(text) for text in texts)
    )


class Entry:
    """One public name in one header."""

    def __init__(self, namespace, name, header, found):
        self.namespace, self.name, self.header = namespace, name, header
        self.prefix = "".join(part + "::" for part in namespace.split("::")[1:])
        documented = [d.doc for d in found if d.doc]
        self.declarations = [
            d for d in found if not is_diagnostic(d) and not (d.kind == "class" and not d.has_body)
        ]
        if self.declarations and documented and not self.declarations[0].doc:
            self.declarations[0].doc = documented[0]
        self.is_documented = bool(documented)
        self.module_doc = next((d.module_doc for d in found if d.module_doc), "")


def entries_of(header, found, everywhere):
    entries = {}
    for declaration in found:
        if not PUBLIC.match(declaration.namespace) or declaration.kind in (
            "specialisation",
            "guide",
        ):
            continue
        name, source = declaration.name, declaration.namespace
        if declaration.kind == "export":
            path, _, name = declaration.name.rpartition("::")
            source = "tenon::" + path
        key = (declaration.namespace, name)
        if not name or key in entries:
            continue
        mine = [
            d
            for d in found
            if (d.namespace, d.name) == (source, name)
            and d.kind not in ("export", "specialisation", "guide")
        ]
        mine = mine or [d for d in everywhere if (d.namespace, d.name) == (source, name)]
        entries[key] = Entry(*key, header, mine)
    return sorted(
        (entry for entry in entries.values() if entry.declarations),
        key=lambda entry: entry.declarations[0].line,
    )


def read_headers():
    headers = {}
    for path in sorted(INCLUDE.rglob("*.hpp")):
        header = path.relative_to(INCLUDE).as_posix()
        text = path.read_text().split("#if TENON_DEFINES_RUNTIME")[0]  # declarations alone
        # `(max)(x)`: in parentheses, as macros of <windows.h> have these names.
        text = re.sub(r"\(((?:std::)?(?:min|max))\)\(", r" \1(", text)
        headers[header] = declarations.read(text)
    return headers


def read_entries(headers):
    """The entries of all headers, in their order."""
    everywhere = [d for found in headers.values() for d in found]
    return [
        entry for header, found in headers.items() for entry in entries_of(header, found, everywhere)
    ]
