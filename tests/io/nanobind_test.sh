#!/usr/bin/env bash
# Builds the Python modules of examples/python and tests/io/nanobind, and calls them with arrays of
# NumPy, and of PyTorch and JAX where these are installed.
# Usage: WORK=folder nanobind_test.sh COMPILER PYTHON.     Exit status 77: skipped.
set -euo pipefail
mkdir -p "$WORK"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
compiler=$1 python=${2:-}
skip() { echo "skipped: $*"; exit 77; }
[ -n "$python" ] || skip "no python3"

"$python" -c "import nanobind, numpy" 2>/dev/null || skip "no nanobind and numpy; pip install both"
headers=$("$python" -c "import sysconfig; print(sysconfig.get_paths()['include'])")
[ -f "$headers/Python.h" ] || skip "no headers of Python in $headers (Debian: python3-dev)"
torch=$("$python" -c "import importlib.util as u; s = u.find_spec('torch')
print(s.submodule_search_locations[0] + '/include' if s else '')")

${CMAKE:-cmake} -S "$here/nanobind" -B "$WORK/build" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DPython_EXECUTABLE="$python" \
  -DTORCH_INCLUDE="$torch" -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON >"$WORK/configured.txt" || { cat "$WORK/configured.txt"; exit 1; }
${CMAKE:-cmake} --build "$WORK/build" >"$WORK/built.txt" 2>&1 || { cat "$WORK/built.txt"; exit 1; }
export PYTHONPATH=$WORK/build:$WORK/build/example${PYTHONPATH:+:$PYTHONPATH}
"$python" "$root/examples/python/pixels_test.py"
"$python" "$here/nanobind/capsules_test.py"
