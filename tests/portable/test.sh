#!/usr/bin/env bash
# The loader selects a variant that the machine can run, and every such variant computes correctly.
set -euo pipefail
program=$1
"$program"
loader=/lib64/ld-linux-x86-64.so.2
"$loader" --help 2>/dev/null | grep -q glibc-hwcaps || { echo "skipped: the loader has no glibc-hwcaps"; exit 0; }

# expect MASK INSTRUCTIONS: the variant that is loaded on a machine with only the levels of the
# mask.
expect() {
  local said
  said=$("$loader" --glibc-hwcaps-mask "$1" "$program")
  echo "$said"
  [[ $said == "$2":* ]] || { echo "expected $2"; exit 1; }
}
can_run() { "$loader" --help | grep -q "$1 (supported"; }

expect x86-64-v2 sse2
if can_run x86-64-v3; then expect x86-64-v3 fma3+avx2; fi
if can_run x86-64-v4; then expect x86-64-v4 avx512bw; fi
