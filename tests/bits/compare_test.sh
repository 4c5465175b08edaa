#!/usr/bin/env bash
# tests/bits/compare names the results of which the bits changed.
set -euo pipefail
compare=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/compare
BITS=$(mktemp -d)
export BITS
trap 'rm -rf "$BITS"' EXIT
one=$BITS/one two=$BITS/two other=$BITS/other
printf '# level gcc\n01 one: adds\n02 one: divides: float32\n' >"$one"
printf '# level gcc\n01 two: adds\n' >"$two"
printf '# higher clang\n01 two: adds\n' >"$other"

# expect STATUS TEXT FILES...: what compare says of the files.
expect() {
  local status=0 said
  said=$("$compare" "${@:3}" 2>&1) || status=$?
  [ "$status $said" = "$1 $2" ] || { printf 'expected %s:\n%s\ngot %s:\n%s\n' "$1" "$2" "$status" "$said"; exit 1; }
}
"$compare" --write "$one" "$two" >"$BITS/said"
expect 0 "3 results have the recorded bits, 0 do not, 0 are new (level gcc)" "$one" "$two"
expect 0 "1 results have the recorded bits, 0 do not, 0 are new (level gcc)" "$two"
expect 77 "skipped: no bits are recorded for the instruction set higher and clang" "$other"
expect 1 "expected files of one build, got: higher clang level gcc" "$one" "$other"

printf '# level gcc\n03 one: divides: float32\n04 one: multiplies\n' >"$one"
expect 1 "changed: one: divides: float32
missing: one: adds
1 results have the recorded bits, 2 do not, 1 are new (level gcc)" "$one" "$two"
"$compare" --write "$one" >"$BITS/said"
expect 0 "3 results have the recorded bits, 0 do not, 0 are new (level gcc)" "$one" "$two"

# Another compiler has a column of its own.
printf '# level clang\n05 one: divides: float32\n' >"$other"
expect 77 "skipped: no bits are recorded for the instruction set level and clang" "$other"
"$compare" --write "$other" >"$BITS/said"
expect 0 "1 results have the recorded bits, 0 do not, 0 are new (level clang)" "$other"
expect 0 "3 results have the recorded bits, 0 do not, 0 are new (level gcc)" "$one" "$two"
diff - "$BITS/level.hashes" <<'END'
# gcc clang
03 05 one: divides: float32
04 - one: multiplies
01 - two: adds
END
