# Sourced by the tests of the module. Usage of each: WORK=FOLDER test.sh COMPILER [FLAG...]
# Chooses a clang of 17 or newer, the compiler itself if it is one, generates $WORK/tenon.cppm and
# goes to $WORK. "${compile[@]}": with the flags of all files.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

fail() { echo "$*"; exit 1; }
skip() { echo "skipped: $*"; exit 77; }

# The major version of a clang; 0 for other compilers.
version_of() {
  { "$1" -dM -E -x c++ - </dev/null 2>/dev/null || true; } |
    awk '$2 == "__clang_major__" { major = $3 } /__apple_build_version__/ { apple = 1 }
         END { print apple ? 0 : major + 0 }'
}

clang_for_modules() {
  local compiler
  for compiler in "$1" clang++-{19,20,21,22,18,17} clang++; do
    command -v "$compiler" >/dev/null || continue
    if [ "$(version_of "$compiler")" -ge 17 ]; then echo "$compiler"; return; fi
  done
  return 1
}

clang=$(clang_for_modules "$1") || skip "no clang of 17 or newer was found"
command -v python3 >/dev/null || skip "python3 was not found"
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK"
"$root/scripts/module" tenon.cppm
compile=("$clang" -std=c++20 -O0 -Wall -Wextra -Werror "${@:2}")
