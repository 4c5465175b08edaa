#!/usr/bin/env bash
# Every source of tests, examples and benchmarks is compiled by a target of CMake, of which it lists
# the sources itself, or by a script of tests/stages.txt, and every test program and script is run.
# Writes the stage of each file to $WORK/stages: scripts/test, scripts/test --all, or another.
# Usage: WORK=folder stages_test.sh ROOT COMPILER
set -euo pipefail
root=$1 compiler=$2 failed=0
mkdir -p "$WORK"
cd "$root"

# configure NAME OPTIONS...: nothing is built.
configure() {
  cmake -S . -B "$WORK/$1" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_COMPILER=$compiler" "${@:2}" \
    >"$WORK/$1.txt" 2>&1 || { cat "$WORK/$1.txt"; exit 1; }
}
configure newcomer -DTENON_PART=newcomer -DTENON_BENCH=OFF
configure all -DTENON_BENCH=ON -DTENON_LONG_EXAMPLES=ON -DTENON_TEST_ALL_CASES=ON -DTENON_TEST_HEADERS=ON
if grep -E 'tenon: .*(skipped|not tested)' "$WORK/all.txt"; then
  echo "skipped: sources of libraries that are not here belong to no target"
  exit 77
fi

wrong() { echo "$*"; failed=1; }
as_expression() { sed -e 's/[.]/[.]/g' -e 's/[*]/[^\/]*/g' -e 's/.*/^&$/'; }

declare -A target_of stage_of owner_of
while read -r path target; do
  target_of[$path]=$target
  stage_of[$path]="scripts/test --all"
  [[ $path != bench/* ]] || stage_of[$path]=".ci/long benches"
done < <(grep -v '^\.\.\|^build' "$WORK/all/sources_of_targets.txt")
while read -r path target; do stage_of[$path]="scripts/test"; done <"$WORK/newcomer/sources_of_targets.txt"

# What is run: the commands of ctest, and those of .ci/run and .ci/long.
find "$WORK/all" -name CTestTestfile.cmake -exec cat {} + >"$WORK/commands"
cat .ci/run .ci/long .ci/ways_in .ci/compile_cost >"$WORK/stages_of_ci"
is_run() { grep -qF "$root/$1\"" "$WORK/commands" || grep -qwF -- "$1" "$WORK/stages_of_ci"; }
for path in "${!target_of[@]}"; do
  target=${target_of[$path]}
  [[ $path = *_test.cpp && $target != *_parsed ]] || continue
  grep -qE "/$target\"" "$WORK/commands" || wrong "$path is compiled by $target, which no test runs"
done

# find_owner PATH: sets `owner`, the script of tests/stages.txt.
find_owner() {
  local k
  owner=
  for k in "${!expressions[@]}"; do
    [[ $1 =~ ${expressions[k]} ]] && owner=${owners[k]} && uses[k]=yes && return
  done
  return 1
}
mapfile -t lines < <(grep -v '^#\|^$' tests/stages.txt)
mapfile -t expressions < <(printf '%s\n' "${lines[@]}" | awk '{ print $1 }' | as_expression)
mapfile -t owners < <(printf '%s\n' "${lines[@]}" | awk '{ print $2 }')
uses=()

place() {  # PATH: its stage, or fails
  if [ -n "${stage_of[$1]:-}" ]; then place=${stage_of[$1]}; return; fi
  if [[ $1 != *.cpp ]] && is_run "$1"; then place="scripts/test --all"; return; fi
  find_owner "$1" && place="$owner"
}
# Files that no rule knows are found.
for path in tests/unknown/new.cpp tests/io/deeper/new_test.cpp tests/module/new.cpp tests/fuzz/new_test.sh bench/new/new.cpp; do
  ! place "$path" || wrong "expected no stage of $path, got $place"
done

find tests examples bench \( -name '*.cpp' -o -name '*_test.sh' -o -name '*_test.py' -o -name test.sh \) | sort >"$WORK/files"
while read -r path; do
  if place "$path"; then printf '%-50s %s\n' "$path" "$place"
  else wrong "$path: neither a target of CMake nor a script of tests/stages.txt compiles or runs it" >&2; fi
done <"$WORK/files" >"$WORK/stages"
[ "$(wc -l <"$WORK/stages")" = "$(wc -l <"$WORK/files")" ] || failed=1

for k in "${!lines[@]}"; do
  owner=${owners[k]}
  [ -n "${uses[k]:-}" ] || wrong "tests/stages.txt: no file is like: ${lines[k]}"
  [ -n "${target_of[$owner]:-}" ] || is_run "$owner" || wrong "tests/stages.txt: nothing runs $owner"
done
while read -r pattern; do
  grep -qE "$(as_expression <<<"$pattern")" "$WORK/files" ||
    [ -e "$pattern" ] || wrong "tests/newcomer.txt: no file is like: $pattern"
done < <(grep '^[a-z]' tests/newcomer.txt | sed 's/^not //')

# Folders of include/tenon that .ci/long checks.
bash .ci/long --list >"$WORK/parts"
for folder in include/tenon/*/; do
  grep -qw "$(basename "$folder")" "$WORK/parts" || wrong ".ci/long: no part concerns $folder"
done
sed -E 's/^[^ ]+ +//' "$WORK/stages" | sort | uniq -c | sort -rn
exit $failed
