#!/usr/bin/env bash
# What the GPT example promises beside learning: rules_test.sh PROGRAM, run in a folder of its own.
set -euo pipefail
gpt=$1

fail() { echo "rules_test: $*" >&2; exit 1; }

# --help explains and succeeds.
"$gpt" --help | grep -q -- --steps || fail "--help does not name the options"

# Wrong arguments: one line on stderr, nothing else, status 2.
refuses() {
  local status=0
  "$gpt" "$@" >output 2>errors || status=$?
  [ "$status" = 2 ] || fail "expected status 2 for '$*', got $status"
  [ "$(wc -l <errors)" = 1 ] && [ ! -s output ] || fail "expected one line for '$*'"
}
refuses --nonsense
grep -q -- "--nonsense" errors || fail "the wrong argument is not named"
refuses --steps
refuses --steps 0
refuses --steps 12x
refuses --batch 1e3
refuses --seed -1
refuses --threads 0
refuses 100

# A folder that cannot be made: one line, status 1, before anything is computed.
rm -rf file 1 3 other
touch file
status=0
"$gpt" --out file/inside >output 2>errors || status=$?
[ "$status" = 1 ] && [ "$(wc -l <errors)" = 1 ] && [ ! -s output ] || fail "a folder in a file"

# The same seed gives the same model, whatever the number of threads; another seed another one.
for threads in 1 3; do
  "$gpt" --steps 8 --batch 8 --seed 5 --threads $threads --out $threads >output.$threads
  grep -v tokens/s output.$threads | grep -v -e threads -e 'trained in' -e 'curve is in' >same.$threads
done
cmp same.1 same.3
cmp 1/model.safetensors 3/model.safetensors
cmp 1/loss.svg 3/loss.svg
"$gpt" --steps 8 --batch 8 --seed 6 --out other >/dev/null
! cmp -s 1/model.safetensors other/model.safetensors || fail "the seed changes nothing"

# Not a terminal: a line for every tenth of the steps at most, and no control characters.
[ "$(grep -c tokens/s output.1)" -le 10 ] || fail "too many lines of progress"
! grep -q $'[\r\x1b]' output.1 || fail "control characters where there is no terminal"
