#!/usr/bin/env bash
# Further properties of the GPT example: rules_test.sh PROGRAM, run in its own folder.
set -euo pipefail
gpt=$1

fail() { echo "rules_test: $*" >&2; exit 1; }

rm -rf ./*

# --help prints the options and succeeds.
"$gpt" --help >output
grep -q -- --steps output || fail "--help does not name the options"

# refuses WORDS ARGUMENT...: one line on stderr with this text, nothing else, status 1.
refuses() {
  local status=0 words=$1
  shift
  "$gpt" "$@" >output 2>errors || status=$?
  [ "$status" = 1 ] || fail "expected status 1 for '$*', got $status"
  [ "$(wc -l <errors)" = 1 ] && [ ! -s output ] || fail "expected one line for '$*'"
  grep -q -- "$words" errors || fail "expected '$words' for '$*', got '$(cat errors)'"
}
refuses "'--nonsense': expected an option" --nonsense
refuses "'100': expected an option" 100
refuses "--steps: expected a value" --steps
refuses "--steps: expected a whole number from 1 to 1000000, got '0'" --steps 0
refuses "got '12x'" --steps 12x
refuses "got ''" --steps ""
refuses "got '1e3'" --batch 1e3
refuses "got '99999999999999999999'" --batch 99999999999999999999
refuses "got '-1'" --seed -1
refuses "got '0'" --threads 0
refuses "--temperature: expected a number from 0 to 100, got 'nan'" --temperature nan
refuses "--length: expected --text" --length 32
refuses "--lesson: expected --export" --lesson x

# A folder that cannot be created, and a checkpoint that cannot be written, are errors before
# training.
touch file
refuses "file/inside" --out file/inside
refuses "nowhere/c" --checkpoint nowhere/c

# Invalid texts.
: >empty
printf 'too short' >short
refuses "expected a file that can be read, got 'missing'" --text missing
refuses "got the folder '.'" --text .
refuses "expected at least 65 bytes, got 0 in 'empty'" --text empty
refuses "expected at least 65 bytes, got 9 in 'short'" --text short
if [ "$(id -u)" != 0 ]; then
  printf 'secret%.0s' {1..100} >closed
  chmod 0 closed
  refuses "expected a file that can be read, got 'closed'" --text closed
fi

# The same seed gives the same results, for any number of threads and in every run.
few=(--steps 8 --batch 8 --seed 5)
for run in 1 2 3 again; do
  threads=${run/again/3}
  "$gpt" "${few[@]}" --threads "$threads" --out $run >output.$run
  grep -v tokens/s output.$run | grep -v -e threads -e 'curve is in' >same.$run
  cmp same.1 same.$run
  for name in checkpoint.safetensors model.safetensors loss.svg; do cmp 1/$name $run/$name; done
done
TENON_THREADS=2 "$gpt" "${few[@]}" --out variable >/dev/null
cmp 1/checkpoint.safetensors variable/checkpoint.safetensors
"$gpt" --steps 8 --batch 8 --seed 6 --out other >/dev/null
! cmp -s 1/model.safetensors other/model.safetensors || fail "another seed gives the same model"

# Without a terminal: a line for every tenth of the steps at most, and no control characters.
[ "$(grep -c tokens/s output.1)" -le 10 ] || fail "too many lines of progress"
! grep -q $'[\r\x1b]' output.1 || fail "control characters without a terminal"

# An existing checkpoint is kept.
"$gpt" --steps 1 --batch 1 --out other >/dev/null
[ -s other/checkpoint.safetensors.before ] || fail "the existing checkpoint is gone"
