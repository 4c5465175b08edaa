# Sourced by the tests of single headers. Usage of each: WORK=FOLDER test.sh COMPILER [FLAG...]
# Generates the headers in $WORK/include, and goes to $WORK. $compiler: without flags;
# "${compile[@]}": with those for a program of single headers.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
rm -rf "$WORK"
mkdir -p "$WORK/include"

# xsimd where the build has it, or installed.
xsimd=()
for flag in "${@:2}"; do
  [ -f "${flag#-isystem}/xsimd/xsimd.hpp" ] && xsimd=(--xsimd "${flag#-isystem}")
done
"$root/scripts/single_include" "${xsimd[@]}" "$WORK/include"
cd "$WORK"
compiler=$1
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
compile=("$@" -std=c++20 "${warnings[@]}" -Iinclude)

fail() { echo "$*"; exit 1; }
