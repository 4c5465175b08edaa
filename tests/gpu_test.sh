#!/usr/bin/env bash
# scripts/gpu names a missing card, and reports each part that fails without stopping the others.
# (.ci/long runs all of it on the stand-in.)
set -euo pipefail
gpu=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/scripts/gpu
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect CODE TEXT COMMAND...: a command's exit code, and a text in its output or in the report.
expect() {
  local code=0 said
  said=$("${@:3}" 2>&1) || code=$?
  [ -f "$folder/report.md" ] && said+=$(cat "$folder/report.md")
  [ "$code" = "$1" ] && grep -qF -- "$2" <<<"$said" && return
  printf 'expected %s and: %s, got %s:\n%s\n' "$1" "$2" "$code" "$said"
  exit 1
}

if ! ldconfig -p 2>/dev/null | grep -q libcuda.so.1; then
  expect 3 "scripts/gpu: there is no NVIDIA card on this machine: " "$gpu" "$folder"
fi
printf '#!/bin/sh\necho "this does not compile"; exit 9\n' >"$folder/compiler"
chmod +x "$folder/compiler"
expect 1 "### compile large: 9" env CXX="$folder/compiler" "$gpu" --stand-in "$folder"
expect 1 "this does not compile" env CXX="$folder/compiler" "$gpu" --stand-in "$folder"
expect 1 "FAILED: compile bench_training" env CXX="$folder/compiler" "$gpu" --stand-in "$folder"
expect 1 "FAILED: compile bench_training" env CXX="$folder/none" "$gpu" --stand-in "$folder"
