#!/usr/bin/env bash
# Kills one of two ranks at each system call by which a save writes: either the old or the new
# checkpoint is complete, and the next save succeeds. Then other numbers of ranks load and save.
# Usage: checkpoint_kill_test.sh PROGRAM MPIEXEC...     MPIEXEC up to the number of ranks
set -u
program=$1; shift
launch=("$@")
folder=$(mktemp -d "$PWD/checkpoints-XXXXXX")
trap 'rm -rf "$folder"' EXIT
failures=0
export OMPI_MCA_odls_base_sigkill_timeout=0  # otherwise Open MPI takes seconds to end a job

wrong() { failures=$((failures + 1)); echo "$*"; }
ranks() { timeout -k 2 30 "${launch[@]}" "$1" "$program" "${@:2}" </dev/null 2>"$folder/said"; }
check() { timeout -k 2 30 "$program" check "$1" </dev/null 2>>"$folder/said"; }

ranks 2 save "$folder/old" 1 || { cat "$folder/said"; exit 1; }

# kill_at RANK: repeats the save, killed one call later each time, until one completes.
kill_at() {
  local rank=$1 calls code said old=0 new=0
  for ((calls = 0; calls < 60; ++calls)); do
    rm -rf "$folder/run" && cp -r "$folder/old" "$folder/run"
    ranks 2 save "$folder/run" 2 "$rank" "$calls" >"$folder/out"
    code=$?
    said=$(check "$folder/run")
    case $said in
      'holds 1, then 3, in 1') old=$((old + 1)) ;;
      'holds 2, then 3, in 1') new=$((new + 1)) ;;
      *) wrong "rank $rank killed after $calls calls: $said"; cat "$folder/said" ;;
    esac
    [ $code -ne 0 ] && continue
    [ "${said%%,*}" = 'holds 2' ] || wrong "nobody was killed, but: $said"
    break
  done
  echo "rank $rank: killed at $calls calls: $old times the old checkpoint, $new times the new one"
  [ $code -eq 0 ] || wrong "rank $rank: no save got through"
  [ "$calls" -ge "$2" ] && [ "$old" -ge "$3" ] && [ "$new" -ge "$4" ] ||
    wrong "rank $rank: too few of them"
}

# Rank 0: the folder, its file, the index, removals. Rank 1: its file.
kill_at 0 16 11 5
kill_at 1 6 6 1

for saving in 4 3; do
  ranks "$saving" save "$folder/run$saving" 2 || { wrong "$saving ranks do not save"; continue; }
  for loading in 2 3 4; do
    rm -rf "$folder/run" && cp -r "$folder/run$saving" "$folder/run"
    said=$(ranks "$loading" check "$folder/run")
    [ "$said" = 'holds 2, then 3, in 1' ] || wrong "saved by $saving, loaded by $loading: $said"
  done
  said=$(check "$folder/run$saving")
  [ "$said" = 'holds 2, then 3, in 1' ] || wrong "saved by $saving, loaded by 1: $said"
done
echo "$failures failures"
[ $failures -eq 0 ]
