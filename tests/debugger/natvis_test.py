"""tenon.natvis is well-formed, and the classes and members that it names exist in the sources.

It cannot be run without Visual Studio. Every class must be defined in include/; the first name of
an expression must be declared in the file that defines the class, the others in some file.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPACE = "{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}"
CLASS = re.compile(r"^(?:class|struct) (?:alignas\(\d+\) )?(\w+)\b[^;]*$", re.M)
NOT_MEMBERS = {"void", "long", "sizeof", "tenon"}
EXPRESSIONS = {"Item", "ExpandedItem", "Size", "ValuePointer", "StringView"}


def sources():
    folder = ROOT / "include" / "tenon"
    return {path: path.read_text() for path in folder.rglob("*.hpp")}


def definitions(texts):
    """The texts of the files that define each class."""
    found = {}
    for text in texts.values():
        for name in CLASS.findall(text):
            found[name] = found.get(name, "") + text
    return found


def expressions(element):
    """The expressions of a Type, without format specifiers."""
    for part in element.iter():
        tag = part.tag.removeprefix(SPACE)
        if part.get("Condition"):
            yield part.get("Condition")
        if tag == "DisplayString":
            text = part.text.replace("{{", "").replace("}}", "")
            yield from re.findall(r"{([^}]*)}", text)
        elif tag in EXPRESSIONS:
            yield part.text


def members(expression):
    """The names in an expression, each with whether it is the first of its chain."""
    bare = re.sub(r",(\[\w+\])?\w+$", lambda found: " " + (found[1] or ""), expression)
    bare = re.sub(r"[\w:]+::\w+", "", bare)
    for found in re.finditer(r"(\.|->)?(?<![$\w])([A-Za-z_]\w*)", bare):
        if found[2] not in NOT_MEMBERS:
            yield found[2], found[1] is None


def is_declared(name, text):
    return re.search(rf"[\w>*&\]]\s+{name}(\[[^]]*\])?({{|;| =|:)", text)


def mistakes(root, texts):
    classes = definitions(texts)
    everything = "\n".join(texts.values())
    for kind in root.iter(f"{SPACE}Type"):
        names = [kind.get("Name")] + [a.get("Name") for a in kind.iter(f"{SPACE}AlternativeType")]
        for name in (re.sub("<.*", "", full).rpartition("::")[2] for full in names):
            if name not in classes:
                yield f"there is no class {name}"
                continue
            for expression in expressions(kind):
                for member, is_first in members(expression):
                    if not is_declared(member, classes[name] if is_first else everything):
                        yield f"{name} has no member {member}: {expression}"


def check_itself(texts):
    """A wrong class and wrong members are found."""
    text = """<A xmlns="http://schemas.microsoft.com/vstudio/debugger/natvis/2010">
      <Type Name="tenon::Gone&lt;*&gt;"/>
      <Type Name="tenon::Shape">
        <DisplayString Condition="gone == 0">{rank.of_none}</DisplayString>
      </Type>
    </A>"""
    found = list(mistakes(xml.etree.ElementTree.fromstring(text), texts))
    assert len(found) == 3, found


texts = sources()
check_itself(texts)
found = list(mistakes(xml.etree.ElementTree.parse(ROOT / "scripts/debugger/tenon.natvis"), texts))
print("\n".join(found) or "the natvis file agrees with the sources")
sys.exit(1 if found else 0)
