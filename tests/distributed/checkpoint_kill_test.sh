#!/usr/bin/env bash
# Kills one of two ranks at each system call by which a save writes: either the old or the new
# checkpoint is complete, and the next save succeeds. Beside it, other numbers of ranks load and save:
# mpirun mostly waits.
# Usage: checkpoint_kill_test.sh PROGRAM MPIEXEC...     MPIEXEC up to the number of ranks
set -u
program=$1; shift
launch=("$@")
folder=$(mktemp -d "$PWD/checkpoints-XXXXXX")
trap 'rm -rf "$folder"' EXIT
task=start

wrong() { echo "$*"; touch "$folder/failed"; }
ranks() { timeout -k 2 30 "${launch[@]}" "$1" "$program" "${@:2}" </dev/null 2>"$folder/said_$task"; }
check() { timeout -k 2 30 "$program" check "$1" </dev/null 2>>"$folder/said_$task"; }

ranks 2 save "$folder/old" 1 || { cat "$folder/said_$task"; exit 1; }

# kill_at RANK: repeats the save, killed one call later each time, until one completes.
kill_at() {
  local rank=$1 calls code said old=0 new=0 task=kill$1
  local run=$folder/run_$task
  for ((calls = 0; calls < 60; ++calls)); do
    rm -rf "$run" && cp -r "$folder/old" "$run"
    ranks 2 save "$run" 2 "$rank" "$calls" >"$run.out"
    code=$?
    said=$(check "$run")
    case $said in
      'holds 1, then 3, in 1') old=$((old + 1)) ;;
      'holds 2, then 3, in 1') new=$((new + 1)) ;;
      *) wrong "rank $rank killed after $calls calls: $said"; cat "$folder/said_$task" ;;
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

# save_and_load RANKS: other numbers of ranks load what these save.
save_and_load() {
  local saving=$1 loading said task=load$1
  local run=$folder/run_$task saved=$folder/saved_$task
  ranks "$saving" save "$saved" 2 || { wrong "$saving ranks do not save"; return; }
  for loading in 2 3 4; do
    rm -rf "$run" && cp -r "$saved" "$run"
    said=$(ranks "$loading" check "$run")
    [ "$said" = 'holds 2, then 3, in 1' ] || wrong "saved by $saving, loaded by $loading: $said"
  done
  said=$(check "$saved")
  [ "$said" = 'holds 2, then 3, in 1' ] || wrong "saved by $saving, loaded by 1: $said"
}

# Rank 0: the folder, its file, the index, removals. Rank 1: its file.
kill_at 0 16 11 5 &
kill_at 1 6 6 1 &
save_and_load 4 &
save_and_load 3 &
wait
[ ! -e "$folder/failed" ]
