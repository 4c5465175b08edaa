#!/usr/bin/env bash
# A run that is stopped and resumed ends like an uninterrupted one: resume_test.sh PROGRAM, in its
# own folder.
set -euo pipefail
gpt=$1

fail() { echo "resume_test: $*" >&2; exit 1; }

rm -rf ./*
for ((i = 0; i < 400; ++i)); do echo "line $i of a text that is learned"; done >text
cp text another
echo "one line more" >>another

# Both tasks: twenty steps; and ten, then ten more, with each number of threads.
sums=(--steps 20 --batch 16)
bytes=(--text text --steps 20 --batch 4 --sample 40 --prompt line)
for task in sums bytes; do
  declare -n arguments=$task
  "$gpt" "${arguments[@]}" --out $task >/dev/null
  for threads in 1 2 3; do
    out=$task.$threads status=0
    "$gpt" "${arguments[@]}" --pause 10 --threads $threads --out "$out" >output || status=$?
    [ "$status" = 130 ] && grep -q '^stopped after step 10 of 20; --resume goes on' output ||
      fail "expected to stop after 10 steps, got status $status"
    ! cmp -s $task/checkpoint.safetensors "$out/checkpoint.safetensors" || fail "the checkpoints are equal"
    "$gpt" "${arguments[@]}" --resume --threads $threads --out "$out" >output
    for name in checkpoint.safetensors model.safetensors loss.svg; do
      cmp $task/$name "$out/$name"
    done
    [ $task = sums ] || cmp $task/sample.txt "$out/sample.txt"
  done
done
[ "$(wc -c <bytes/sample.txt)" = 44 ] || fail "expected a sample of 4 and 40 bytes"

# Finished steps are not repeated; settings are restored, and more text may be sampled.
"$gpt" --text text --resume --out bytes --sample 7 --temperature 0 >/dev/null
cmp bytes/checkpoint.safetensors bytes.1/checkpoint.safetensors
[ "$(wc -c <bytes/sample.txt)" = 8 ] || fail "expected a sample of 1 and 7 bytes"

# stops SIGNAL: after the current step, with the checkpoint of a run that pauses there.
many=(--steps 50000 --batch 16)
stops() {
  local status=0 out=stopped.$1 program step
  "$gpt" "${many[@]}" --out "$out" >output 2>errors &
  program=$!
  until [ -e "$out/checkpoint.safetensors" ] || ! kill -0 $program; do sleep 0.05; done
  kill -"$1" $program
  wait $program || status=$?
  [ "$status" = 130 ] && [ ! -s errors ] || fail "expected status 130 after $1, got $status"
  step=$(sed -n 's/^stopped after step \([0-9]*\) of 50000; --resume goes on from .*/\1/p' output)
  [ -n "$step" ] || fail "expected a line with the step at which it stopped, got '$(tail -1 output)'"
  "$gpt" "${many[@]}" --pause "$step" --out "paused.$1" >/dev/null || true
  cmp "paused.$1/checkpoint.safetensors" "$out/checkpoint.safetensors"
}
stops INT
stops TERM

# refuses WORDS ARGUMENT...: one line on stderr with this text, nothing else, status 1.
refuses() {
  local status=0 words=$1
  shift
  "$gpt" "$@" --resume >output 2>errors || status=$?
  [ "$status" = 1 ] || fail "expected status 1 for '$*', got $status"
  [ "$(wc -l <errors)" = 1 ] && [ ! -s output ] || fail "expected one line for '$*'"
  grep -q -- "$words" errors || fail "expected '$words' for '$*', got '$(cat errors)'"
}
good=sums/checkpoint.safetensors
cp $good kept
refuses "expected a file that can be read" --out missing
refuses "expected --steps 30, got 20" --out sums --steps 30
refuses "expected --seed 2, got 1" --out sums --seed 2
refuses "expected 256 words and 16 places, got 12 words and 16 places" --out sums --text text
refuses "expected 12 words and 64 places, got 256 words and 64 places" --out bytes
refuses "expected the text that the checkpoint began with" --out bytes --text another
LC_ALL=C sed 's/\[64,256\]/[256,64]/g' $good >turned
refuses 'expected float32 "embed=64 hidden=256", got float32' --checkpoint turned
head -c 100000 $good >cut
: >empty
head -c 100000 /dev/urandom >noise
{ head -c 200 $good; printf '\1\2\n\3'; tail -c +205 $good; } >spoilt
cp sums/model.safetensors alone
for file in cut empty noise spoilt text alone .; do refuses "load" --checkpoint $file; done
cmp $good kept || fail "an error changed the checkpoint"
