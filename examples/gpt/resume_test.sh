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

# folder TAG: that of the run. state TAG: its last checkpoint.
folder() { echo runs/*_"$1"; }
state() { find "$(folder "$1")/checkpoints" -name 'checkpoint_step_*' | sort | tail -1; }
# metrics TAG: without what differs between equal runs.
metrics() { sed -E 's/"time": [^,]*, |, "items_per_second": [^,}]*//g' "$(folder "$1")/metrics.jsonl"; }

# Both tasks: twenty steps; and ten, then ten more, with each number of threads.
sums=(--steps 20 --batch 16)
bytes=(--text text --steps 20 --batch 4 --sample 40 --prompt line)
for task in sums bytes; do
  declare -n arguments=$task
  "$gpt" "${arguments[@]}" --tag $task >/dev/null
  for threads in 1 2 3; do
    first=$task.$threads second=$task.$threads.resumed status=0
    "$gpt" "${arguments[@]}" --pause 10 --threads $threads --tag "$first" >output || status=$?
    [ "$status" = 130 ] && grep -q '^stopped after step 10 of 20; --resume runs/' output ||
      fail "expected to stop after 10 steps, got status $status"
    ! cmp -s "$(state $task)" "$(state "$first")" || fail "the checkpoints are equal"
    "$gpt" --resume "$(folder "$first")" --pause 99 --threads $threads --tag "$second" >output
    cmp "$(state $task)" "$(state "$second")"
    [ "$(metrics $task)" = "$(metrics "$second")" ] || fail "the metrics of a resumed run differ"
    for name in model.safetensors loss.svg; do cmp "$(folder $task)/$name" "$(folder "$second")/$name"; done
    [ $task = sums ] || cmp "$(folder $task)/sample.txt" "$(folder "$second")/sample.txt"
  done
done
[ "$(wc -c <"$(folder bytes)/sample.txt")" = 44 ] || fail "expected a sample of 4 and 40 bytes"

# The metrics are whole and without repetition also where the run went further than its checkpoint.
"$gpt" --resume "$(folder sums.1)/checkpoints/checkpoint_step_000.safetensors" --pause 99 --tag early >/dev/null
[ "$(metrics sums)" = "$(metrics early)" ] || fail "the metrics from an earlier checkpoint differ"

# A run is repeated from its record alone, to the bit.
"$gpt" --config "$(folder sums)/config_resolved.toml" --tag repeated >/dev/null
cmp "$(state sums)" "$(state repeated)"
grep -q '^device = "cpu"' "$(folder sums)/config_resolved.toml" || fail "expected the device"
grep -q 'step 20, loss' "$(folder sums)/train.log" || fail "expected the last step in the log"
for name in metrics.jsonl system.json train.log model.safetensors; do
  [ -s "$(folder sums)/$name" ] || fail "expected $name in the folder of the run"
done
grep -q '"libraries": ".*toml++ [0-9.]*"' "$(folder sums)/system.json" ||
  fail "expected the libraries of the configuration"
grep -q 'step 20, loss .* items/s$' "$(folder sums)/train.log" || fail "expected the throughput"
grep -q '"flags": ".*-' "$(folder sums)/system.json" || fail "expected the flags of the compiler"
[ "$(wc -l <"$(folder sums)/metrics.jsonl")" = 20 ] || fail "expected a line for each step"

# Finished steps are not repeated; settings are restored, and more text may be sampled.
"$gpt" --resume "$(folder bytes)" --sample 7 --temperature 0 --tag more >/dev/null
cmp "$(state bytes)" "$(state more)"
[ "$(wc -c <"$(folder more)/sample.txt")" = 11 ] || fail "expected a sample of 4 and 7 bytes"

# stops SIGNAL: after the current step, with the checkpoint of a run that pauses there.
many=(--steps 50000 --batch 16)
stops() {
  local status=0 tag=stopped.$1 program step
  set -m  # otherwise a program in the background ignores SIGINT
  "$gpt" "${many[@]}" --tag "$tag" >output 2>errors &
  program=$!
  set +m
  until [ -e runs/*_"$tag"/checkpoints/checkpoint_step_000.safetensors ] || ! kill -0 $program; do
    sleep 0.05
  done
  sleep 0.1
  kill -"$1" $program
  wait $program || status=$?
  [ "$status" = 130 ] && [ ! -s errors ] || fail "expected status 130 after $1, got $status"
  step=$(sed -n 's/^stopped after step \([0-9]*\) of 50000; --resume runs.*/\1/p' output)
  [ -n "$step" ] || fail "expected a line with the step at which it stopped, got '$(tail -1 output)'"
  "$gpt" "${many[@]}" --pause "$step" --tag "paused.$1" >/dev/null || true
  cmp "$(state "paused.$1")" "$(state "$tag")"
}
stops INT
stops TERM

# refuses WORDS RESUMED ARGUMENT...: one line on stderr with this text, nothing else, status 1.
refuses() {
  local status=0 words=$1
  shift
  "$gpt" --resume "$@" >output 2>errors || status=$?
  [ "$status" = 1 ] || fail "expected status 1 for '$*', got $status"
  [ "$(wc -l <errors)" = 1 ] && [ ! -s output ] || fail "expected one line for '$*'"
  grep -q -- "$words" errors || fail "expected '$words' for '$*', got '$(cat errors)'"
}
good=$(state sums)
of_bytes=$(state bytes)
cp "$good" kept
cp "$of_bytes" bytes
refuses "expected a file that can be read" missing
refuses "expected --steps 30, got 20" "$(folder sums)" --steps 30
refuses "expected --seed 2, got 1" "$(folder sums)" --seed 2
refuses "expected 256 words and 16 places, got 12 words and 16 places" "$(folder sums)" --text text
refuses "expected 12 words and 64 places, got 256 words and 64 places" bytes
refuses "expected the text that the checkpoint began with" "$(folder bytes)" --text another
LC_ALL=C sed 's/\[64,256\]/[256,64]/g' "$good" >turned
refuses 'expected float32 "embed=64 hidden=256", got float32' turned
head -c 100000 "$good" >cut
: >empty
head -c 100000 /dev/urandom >noise
{ head -c 200 "$good"; printf '\1\2\n\3'; tail -c +205 "$good"; } >spoilt
cp "$(folder sums)/model.safetensors" alone
mkdir folder
for file in cut empty noise spoilt text alone; do refuses "load" $file; done
refuses "expected a checkpoint, got none" folder
cmp "$good" kept || fail "an error changed the checkpoint"
