# Run by gdb: at every call of stop_here it prints the variables that the comments of program.cpp
# name.
import os
import re

import gdb

FOLDER = os.path.dirname(os.path.abspath(__file__))
COMMENT = re.compile(r" *// ([\w.]+): ")


def names(function):
    """The names in the comments of a function of program.cpp."""
    text = open(os.path.join(FOLDER, "program.cpp")).read()
    body = text.partition(f"\nvoid {function}()")[2].partition("\n}\n")[0]
    return [found[1] for found in map(COMMENT.match, body.splitlines()) if found]


gdb.execute("set print elements 50")
gdb.Breakpoint("stop_here")
gdb.execute("run >/dev/null")
while gdb.selected_inferior().pid:
    gdb.selected_frame().older().select()
    for name in names(gdb.selected_frame().name().partition("(")[0]):
        value = gdb.parse_and_eval(name)
        print(f"{name}: {value.format_string()}")
    gdb.execute("continue")
