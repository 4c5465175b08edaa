"""Commands with time limits, within the time of scripts/gpu."""

import contextlib
import os
import signal
import subprocess
import time

# Seconds for one command of each part, and when the part ends, counted from the start: slow
# compilations and tests leave time for figures.
LIMITS = {"question": (20, 450), "compile": (240, 240), "test": (60, 330), "bench": (90, 405),
          "pytorch": (90, 450)}
start = time.monotonic()
running = set()


def end_all_after(seconds):
    """One end for all parts."""
    LIMITS.update({part: (limit, seconds) for part, (limit, _) in LIMITS.items()})


def left(part):
    """The seconds that a command of a part may take; below one: none is left."""
    limit, end = LIMITS[part]
    return min(limit, end - (time.monotonic() - start))


def stop(process):
    """Stops a command and all that it has started: a compiler is a driver of others."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def stop_all(*_):
    """On an interrupt, which reaches no command: each has a session of its own."""
    for process in list(running):
        stop(process)
    os._exit(130)


def outcome(process, seconds):
    """The exit code, or a reason, and the output of a command that has been started."""
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        stop(process)
    reason = f"stopped after {seconds:.0f} s"
    try:
        return reason, process.communicate(timeout=5)[0]
    except subprocess.TimeoutExpired as error:  # it hangs in the driver
        return reason, error.output or b""


def run(command, part, environment=None):
    """The exit code, or a reason, and the whole output of a command."""
    seconds = left(part)
    if seconds < 1:
        return "not run: no time was left", ""
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True,
                                   env={**os.environ, **(environment or {})})
    except OSError as error:
        return str(error), ""
    running.add(process)
    try:
        code, output = outcome(process, seconds)
    finally:
        running.discard(process)
    return code, output.decode(errors="replace")
