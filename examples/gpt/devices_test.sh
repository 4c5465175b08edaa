#!/usr/bin/env bash
# Training on a device gives the losses of the processor: devices_test.sh PROGRAM DEVICE, in its own
# folder.
set -euo pipefail
gpt=$1 device=$2

fail() { echo "devices_test: $*" >&2; exit 1; }

rm -rf ./*

# The error for an invalid device is one line, which lists the valid ones.
! "$gpt" --device nonsense >output 2>errors || fail "an invalid device was accepted"
[ "$(wc -l <errors)" = 1 ] && [ ! -s output ] || fail "expected one line for an invalid device"
grep -q "'nonsense': expected one of these: .*cpu" errors || fail "got '$(cat errors)'"
if ! grep -q "[ ,]$device," errors; then
  echo "skipped: there is no device '$device' here"
  exit 77
fi

# losses FOLDER STEPS: those of the checkpoint there, one per line.
losses() {
  local file length begin
  file=$(find runs/*_"$1"/checkpoints -name 'checkpoint_step_*' | sort | tail -1)
  length=$(od -An -tu8 -N8 "$file" | tr -d ' ')
  begin=$(head -c $((8 + length)) "$file" |
    grep -ao '"losses":{"dtype":"F64","shape":\[[0-9]*\],"data_offsets":\[[0-9]*' |
    grep -o '[0-9]*$')
  od -An -v -w8 -tf8 -j $((8 + length + begin)) -N $((8 * $2)) "$file"
}

# agree FOLDER STEPS: compares its losses with those of the processor.
agree() {
  paste <(losses cpu "$2") <(losses "$1" "$2") >pairs
  awk '{ d = $1 - $2; if (d < 0) d = -d; if (!($1 > 0.1 && d <= 1e-4 * $1)) exit 1; ++n }
       END { if (n != '"$2"') exit 1 }' pairs || fail "losses of $1: $(cat pairs)"
}

few=(--steps 7 --batch 8 --seed 3)
pauses() { "$gpt" "${few[@]}" "$@" >/dev/null && fail "expected to stop early: $*" || true; }
pauses --device cpu --pause 6 --tag cpu
"$gpt" "${few[@]}" --device "$device" --tag there >output
grep -q "on $device$" output || fail "expected $device in the output"
agree there 6

# A checkpoint can be moved from one device to the other, and back.
pauses --device cpu --pause 2 --tag both-2
pauses --device "$device" --resume runs/*_both-2 --pause 4 --tag both-4
pauses --device cpu --resume runs/*_both-4 --pause 6 --tag both-6
agree both-6 6

# Bytes can be learned and generated on the device as well.
for ((i = 0; i < 40; ++i)); do echo "line $i of a text that is learned"; done >text
"$gpt" --device "$device" --text text --steps 2 --batch 2 --sample 4 --prompt line --tag bytes \
  >/dev/null
[ "$(wc -c <runs/*_bytes/sample.txt)" = 8 ] || fail "expected a sample of 4 and 4 bytes"
