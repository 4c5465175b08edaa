#!/usr/bin/env bash
# scripts/gpu names what is missing, and reports each part that fails without stopping the others.
# (.ci/long runs all of it on the stand-in.)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
gpu=$root/scripts/gpu
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect CODE TEXT COMMAND...: a command's exit code, and a text in its output or in the report.
expect() {
  local code=0 said
  rm -f "$folder/report.md"
  said=$("${@:3}" 2>&1) || code=$?
  [ -f "$folder/report.md" ] && said+=$(cat "$folder/report.md")
  [ "$code" = "$1" ] && grep -qF -- "$2" <<<"$said" && return
  printf 'expected %s and: %s, got %s:\n%s\n' "$1" "$2" "$code" "$said"
  exit 1
}

# program NAME COMMANDS: a script in the folder.
program() {
  printf '#!/bin/sh\n%s\n' "$2" >"$folder/$1"
  chmod +x "$folder/$1"
}

if ! python3 -c 'import ctypes; ctypes.CDLL("libcuda.so.1")' 2>/dev/null; then
  expect 3 "scripts/gpu: there is no NVIDIA card on this machine: " "$gpu" "$folder"
fi
program compiler 'echo "this does not compile"; exit 9'
expect 1 "### compile large: 9" env CXX="$folder/compiler" "$gpu" --stand-in "$folder"
expect 1 "this does not compile" env CXX="$folder/compiler" "$gpu" --stand-in "$folder"
expect 1 "FAILED: compile bench_training" env CXX="$folder/compiler" "$gpu" --stand-in "$folder"
expect 1 "compile large: 9" env CXX="$folder/compiler" "$gpu" --compile "$folder"
expect 0 "" env CXX="true" "$gpu" --compile "$folder"
expect 1 "--only: expected a part of one of bench_maps" "$gpu" --stand-in --only nothing "$folder"
expect 1 "FAILED: compile bench_training" env CXX="$folder/none" "$gpu" --stand-in "$folder"

# Without CXX: the first compiler that is new enough, or one line.
python=$(python3 -c 'import sys; print(sys.executable)')
program g++ 'echo 11'
expect 1 "scripts/gpu: expected a compiler: CXX, g++ 12 or newer, or clang 16 or newer, got none" \
  env -u CXX PATH="$folder" "$python" "$gpu" --stand-in "$folder"
program clang++-17 '[ "$1" = -dumpversion ] && echo 17.0.6 || { echo "the other compiler"; exit 9; }'
expect 1 "the other compiler" env -u CXX PATH="$folder" "$python" "$gpu" --stand-in "$folder"

# On other processors than x86, xsimd must be there before anything is compiled.
mkdir "$folder/arm"
echo 'import platform; platform.machine = lambda: "aarch64"' >"$folder/arm/sitecustomize.py"
expect 1 "scripts/gpu: expected xsimd 8.1 to 14 for the registers of this processor" \
  env PYTHONPATH="$folder/arm" CXX="$folder/compiler" "$gpu" --stand-in "$folder"

# PyTorch without a card, or no PyTorch, is skipped.
mkdir "$folder/none" "$folder/cpu"
echo 'raise ImportError("none")' >"$folder/none/torch.py"
printf '__version__ = "2"\nclass cuda:\n    is_available = lambda: False\n' >"$folder/cpu/torch.py"
expect 77 "has no PyTorch: none" env PYTHONPATH="$folder/none" python3 "$root/bench/gpu/peer.py"
expect 77 "skipped: PyTorch 2 has no CUDA device" \
  env PYTHONPATH="$folder/cpu" python3 "$root/bench/gpu/peer.py"

export PYTHONPATH=$root/scripts/gpu_report PYTHONDONTWRITEBYTECODE=1
python3 - "$folder" <<'END'
import sys
import time

import page
import processes

# A time limit ends what a command has started, too.
processes.LIMITS["test"] = (1, 1000)
code, output = processes.run(["sh", "-c", f"sleep 1000 & echo $! >{sys.argv[1]}/pid; wait"], "test")
assert code == "stopped after 1 s", code
with open(f"{sys.argv[1]}/pid", encoding="utf-8") as file:
    status = f"/proc/{file.read().strip()}/stat"
try:
    while True:  # a killed process is gone, or a zombie, in a moment; the test has a time limit
        with open(status, encoding="utf-8") as file:
            if file.read().split()[2] in "ZX":
                break
        time.sleep(0.01)
except FileNotFoundError:
    pass

# Peaks are those of the card, not of one whose name it contains.
for card, bandwidth in (("NVIDIA A100-PCIE-40GB", 1.555), ("NVIDIA A100-SXM4-40GB", 1.555),
                        ("NVIDIA A100-SXM4-80GB", 2.04), ("NVIDIA A100 80GB PCIe", 1.935),
                        ("NVIDIA H100 NVL", 3.9), ("NVIDIA H100 80GB HBM3", 3.35),
                        ("NVIDIA H100 PCIe", 2.0), ("NVIDIA H200", 4.8), ("NVIDIA H200 NVL", 4.8),
                        ("NVIDIA GH200 480GB", 4.0), ("NVIDIA L40S", 0.864), ("NVIDIA T4", 0)):
    assert page.peaks_of(card)[1] == bandwidth * 1e12, card

# A part that is skipped has not failed, and says why.
skipped = {"name": "PyTorch", "result": "skipped", "output": "skipped: there is none\n"}
report = {"card": "", "peaks": "", "seconds": 0, "machine": "", "times": [], "results": [skipped]}
assert not page.failures(report)
assert "- skipped: PyTorch: there is none\n" in page.page(report)
END
