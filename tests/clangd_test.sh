#!/usr/bin/env bash
# clangd parses headers, files of the runtime and tests by .clangd and compile_flags.txt, without a
# build folder.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# clangd 16 or newer; older ones have no --check-locations.
for clangd in clangd clangd-{16..29}; do
  version=$("$clangd" --version 2>/dev/null | sed -nE 's/.*version ([0-9]+).*/\1/p' | head -1)
  [ "${version:-0}" -ge 16 ] && break
done
[ "${version:-0}" -ge 16 ] || { echo "skipped: no clangd 16 or newer"; exit 77; }

# A copy, as clangd would use the compile_commands.json of a build folder in the repository.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root"/{.clangd,.clang-tidy,compile_flags.txt,include} "$work"
mkdir "$work/tests"
cp -r "$root/tests/tensor" "$work/tests"
cd "$work" || exit

failed=0
for file in include/tenon/{tenon.hpp,core/rules/broadcast.hpp,tensor/print.hpp} \
  include/tenon/eval/tape/tape.ipp tests/tensor/print_test.cpp; do
  words=$("$clangd" "--check=$file" --check-locations=0 --clang-tidy=0 --log=error 2>&1) &&
    echo "parsed: $file" && continue
  printf 'not parsed: %s\n%s\n' "$file" "$(head -5 <<<"$words")"
  failed=1
done
exit $failed
