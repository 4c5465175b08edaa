"""What scripts/gpu needs of a machine: a card, a compiler, NVIDIA's libraries, Python."""

import ctypes
import os
import platform
import re
import shutil
import sys

from processes import run

COMPILERS = ["g++", *(f"g++-{version}" for version in range(12, 16)),
             *(f"clang++-{version}" for version in range(16, 22))]
# As include/tenon/backend/cuda/compiler.hpp looks for it.
NVRTC = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so",
         "/usr/local/cuda/lib64/libnvrtc.so"]
FOLDERS_OF_PACKAGES = """
import glob, importlib.util
found = importlib.util.find_spec("nvidia")
for folder in found.submodule_search_locations if found else []:
    print(*glob.glob(folder + "/*/lib"), sep="\\n")
"""


def card():
    """The name of the first card, and why there is none."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "", "no library libcuda.so.1"
    count, device, name = ctypes.c_int(0), ctypes.c_int(0), ctypes.create_string_buffer(256)
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return "", "the driver does not start"
    if count.value < 1:
        return "", "the driver knows no device"
    if driver.cuDeviceGet(ctypes.byref(device), 0) == 0:
        driver.cuDeviceGetName(name, len(name), device)
    return name.value.decode(errors="replace") or "a card without a name", ""


def compiler():
    """CXX, or the first compiler that is new enough; empty if there is none."""
    if os.environ.get("CXX"):
        return os.environ["CXX"]
    for name in COMPILERS:
        code, text = run([name, "-dumpversion"], "question")
        version = re.match(r"\d+", text)
        if code == 0 and version and int(version[0]) >= 12:
            return name
    return ""


def has_lanes(cxx):
    """Whether the headers know the registers of this processor: other than x86 they need xsimd."""
    if platform.machine() in ("x86_64", "AMD64"):
        return True
    command = [cxx, "-std=c++20", "-E", "-include", "xsimd/xsimd.hpp", "-x", "c++", os.devnull]
    return run(command, "question")[0] == 0


def python():
    """The Python that may have PyTorch."""
    return os.environ.get("PYTHON") or sys.executable


def library_folders():
    """Folders of NVRTC and cuBLASLt that the loader may not know: of a toolkit and of PyTorch."""
    nvcc = shutil.which("nvcc")
    folders = [os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(nvcc))), "lib64")] \
        if nvcc else []
    code, text = run([python(), "-c", FOLDERS_OF_PACKAGES], "question")
    return [folder for folder in folders + (text.splitlines() if code == 0 else [])
            if os.path.isdir(folder)]


def library_path(folders):
    """The variable by which programs find libraries in these folders."""
    return ":".join(folders + [p for p in [os.environ.get("LD_LIBRARY_PATH")] if p])


def nvrtc(folders):
    """NVIDIA's compiler of kernels; None if it is not installed."""
    for name in [f"{folder}/{name}" for folder in folders for name in NVRTC[:4]] + NVRTC:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def description(cxx):
    """The versions of what is used."""
    commands = (["nvidia-smi"], ["nvcc", "--version"], [cxx, "--version"])
    return "\n".join(" ".join(c) + f": {r[0]}\n{r[1]}"
                     for c in commands for r in [run(c, "question")])
