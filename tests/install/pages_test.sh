#!/usr/bin/env bash
# Follows docs/installation.md: every command is run, every CMake block is a project;
# a program is compiled each time.
# Usage: WORK=folder pages_test.sh ROOT
set -uo pipefail
root=$1
rm -rf "$WORK" && mkdir -p "$WORK/user" && cd "$WORK/user" || exit
ln -s "$root" tenon
cp "$root/tests/install/components/tenon.cpp" main.cpp
page=$root/docs/installation.md
failed=0

# block N KIND: the N-th block of this kind of code.
block() { awk -v wanted="$1" -v kind="$2" '
  /^```/ && inside { inside = 0; next }
  /^```/ { number += ($0 == "```" kind); inside = 1; printing = ($0 == "```" kind && number == wanted); next }
  inside && printing' "$page"; }

try() {
  "$@" >"$WORK/output.txt" 2>&1 && return
  echo "failed: $*"; tail -20 "$WORK/output.txt"; failed=1
}

for ((n = 1; ; n++)); do
  text=$(block $n sh)
  [ -n "$text" ] || break
  try bash -ec "$text"
  if [ -x main ]; then try ./main; rm -f main; fi
done
commands=$((n - 1))

for ((n = 1; ; n++)); do
  text=$(block $n cmake)
  [ -n "$text" ] || break
  printf '%s\n' 'cmake_minimum_required(VERSION 3.23)' 'project(first LANGUAGES CXX)' \
    'add_executable(main main.cpp)' "$text" >CMakeLists.txt
  rm -rf build/main
  try cmake -S . -B build/main "-DCMAKE_PREFIX_PATH=$PWD/prefix" "-DFETCHCONTENT_SOURCE_DIR_TENON=$root"
  try cmake --build build/main
  try build/main/main
done
echo "$commands blocks of commands and $((n - 1)) of CMake were followed"
[ "$commands" -ge 2 ] && [ "$n" -ge 4 ] && exit $failed
