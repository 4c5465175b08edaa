#!/usr/bin/env bash
# Training with many ranks gives the results of one rank, also if ranks are killed and fewer resume:
# ranks_test.sh PROGRAM RANKS, in its own folder; `RANKS 4 PROGRAM` runs it with four.
set -euo pipefail
gpt=$1 ranks=$2
export OMPI_MCA_odls_base_sigkill_timeout=0  # otherwise Open MPI takes a second to end a job

fail() { echo "ranks_test: $*" >&2; exit 1; }

# losses NAME: those of a run.
losses() { echo runs/????????_??????_"$1"/losses.txt; }
# learn NAME RANKS ARGUMENT...: trains into the folder of a run with that tag
learn() {
  local name=$1 number=$2
  shift 2
  "$ranks" "$number" "$gpt" --steps 400 --batch 16 --tag "$name" "$@" >"$name.output" 2>&1
}
# until_step STEP NAME RANKS ARGUMENT...
until_step() {
  local step=$1 status=0
  shift
  learn "$@" --pause "$step" || status=$?
  grep -q "^stopped after step $step of 400" "$1.output" ||
    fail "expected $1 to stop after step $step, got status $status: $(tail -3 "$1.output")"
}
# near NAME NAME: compares two loss curves
near() {
  paste "$(losses "$1")" "$(losses "$2")" |
    awk '{ d = $1 - $2; if (d < 0) d = -d; if (NF != 2 || !(d < 1e-4)) exit 1 }' ||
    fail "the losses of $1 and $2 differ"
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$gpt" --help | sed '1s|^usage: [^ ]*|usage: scripts/demo|' | diff - "$here/help_over_ranks.txt" ||
  fail "examples/gpt/help_over_ranks.txt is not what --help prints"

rm -rf ranks_test
mkdir ranks_test
cd ranks_test
until_step 20 one 1
# The same bits for any number of ranks of dp; approximately the same curve for all meshes.
until_step 20 dp 4 --dp 4
until_step 20 tp 2 --tp 2
until_step 20 dp_tp 4 --dp 2 --tp 2
until_step 20 pp_tp 4 --pp 2 --tp 2
until_step 20 cp_dp 4 --cp 2 --dp 2
cmp "$(losses one)" "$(losses dp)"
cmp "$(losses tp)" "$(losses dp_tp)"
# The folder of a run has the same files for one rank and four, and the metrics of the same steps.
folder() { echo runs/????????_??????_"$1"; }
files() { (cd "$(folder "$1")" && find . -type f ! -path './checkpoints/*' | sort); }
metrics() { sed -E 's/"time": [^,]*, |, "items_per_second": [^,}]*//g' "$(folder "$1")/metrics.jsonl"; }
[ "$(files one | tr '\n' ' ')" = "./config_resolved.toml ./losses.txt ./metrics.jsonl ./system.json ./train.log " ] ||
  fail "one rank wrote $(files one)"
[ "$(files one)" = "$(files dp)" ] || fail "four ranks wrote $(files dp)"
[ "$(metrics one)" = "$(metrics dp)" ] || fail "the metrics of one rank and four differ"
[ "$(wc -l <"$(folder dp)/metrics.jsonl")" = 20 ] || fail "expected a line for each step"
[ "$(wc -l <"$(folder one)/train.log")" = "$(wc -l <"$(folder dp)/train.log")" ] || fail "the logs differ"
grep -q '"ranks": 1,' "$(folder one)/system.json" && grep -q '"ranks": 4,' "$(folder dp)/system.json" ||
  fail "expected the number of ranks in system.json"
for name in tp pp_tp cp_dp; do near one $name; done
until_step 10 experts 1 --experts 3
until_step 10 ep_dp 4 --experts 3 --ep 2 --dp 2
near experts ep_dp

# The processes of the job whose tag is `killed`.
victims() {
  local process words
  for process in /proc/[0-9]*; do
    mapfile -d '' words 2>/dev/null <"$process/cmdline" || continue
    if [ "${words[0]:-}" = "$gpt" ] && [[ " ${words[*]} " == *" --tag killed "* ]]; then
      echo "${process#/proc/}"
    fi
  done 2>/dev/null
}

# Four ranks are killed; two resume from their last checkpoint, with the bits of an uninterrupted
# run.
learn killed 4 --dp 2 --tp 2 &
job=$!
until [ "$(ls runs/*_killed/checkpoints 2>/dev/null | tail -1)" \> 000001 ] || ! kill -0 $job 2>/dev/null; do sleep 0.05; done
kill -KILL "$(victims | tail -1)" || fail "found no process to kill: $(tail -3 killed.output)"
! wait $job || fail "expected the job to fail with its rank"
learn found 2 --dp 1 --tp 2 --resume runs/*_killed --pause 1 || true
step=$(sed -n 's/^stopped after step \([0-9]*\) of 400.*/\1/p' found.output)
[ -n "$step" ] || fail "expected a checkpoint to resume from, got $(tail -3 found.output)"
until_step $((step + 5)) resumed 2 --dp 1 --tp 2 --resume runs/*_killed
until_step $((step + 5)) unbroken 2 --tp 2
cmp "$(losses resumed)" "$(losses unbroken)"
[ "$(metrics resumed)" = "$(metrics unbroken)" ] || fail "the metrics of a resumed run differ"

# The error for impossible settings has the arithmetic.
refuses() {
  local words=$1 number=$2 status=0
  shift 2
  learn refused "$number" "$@" || status=$?
  [ $status != 0 ] && grep -q -- "$words" refused.output ||
    fail "expected '$words', got $(cat refused.output)"
}
refuses "world size 4 is not 3 = pp 1 x dp 1 x ep 1 x cp 1 x tp 3" 4 --tp 3
refuses "expected a multiple of dp 3" 3 --dp 3
