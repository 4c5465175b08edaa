#!/usr/bin/env bash
# Each fault ends the whole job with a nonzero status within seconds, and each rank's call is in the
# message.
# Usage: faults_test.sh PROGRAM MPIEXEC...     MPIEXEC up to the number of ranks
set -u
program=$1; shift
count=0
right=$(mktemp -d)
trap 'rm -rf "$right"' EXIT

# fault NAME TEXTS...: the output must contain every text. Several run in parallel, as mpirun mostly
# waits.
fault() {
  count=$((count + 1))
  [ "$(jobs -rp | wc -l)" -lt 6 ] || wait -n
  check "$@" && touch "$right/$count" &
}

# run NAME: sets `said` and `code`.
run() {
  said=$(timeout -k 2 30 "${launch[@]}" "$program" "$1" 2>&1 </dev/null)
  code=$?
}

# True if the launcher crashed, lost a message of its own, or was told to abort and did not end: all
# are rare bugs of Open MPI 4.1.
launcher_failed() {
  [ $code -eq 139 ] ||
    { [ $code -eq 124 ] && grep -q 'MPI_ABORT was invoked\|ORTE_ERROR_LOG' <<<"$said"; }
}

check() {
  local name=$1 said code words reports
  shift
  for _ in 1 2 3; do
    run "$name"
    launcher_failed || break
  done
  local wrong=()
  [ $code -ne 0 ] || [ "$name" = "$may_end_with_0" ] || wrong+=("ended with 0")
  reports=$(grep -c '^tenon: rank' <<<"$said")
  [ "$reports" -le 1 ] || [[ $name =~ ^(throw each its own|twice|after its end)$ ]] || wrong+=("$reports reports")
  [ $code -ne 124 ] || wrong+=("did not end by itself")
  for words in "$@"; do grep -qF -- "$words" <<<"$said" || wrong+=("missing: $words"); done
  [ ${#wrong[@]} -eq 0 ] && return
  printf '%s: %s\n%s\n' "$name" "$(printf '%s; ' "${wrong[@]}")" \
    "$(sed 's/^/    /' <<<"$said" | head -20)"
  return 1
}

launch=("$@" 3)
# MPICH's launcher also ends a job that a rank leaves by _Exit(0), but returns that 0.
may_end_with_0=$("$1" --version 2>&1 | grep -q HYDRA && echo quick)
export TENON_COLLECTIVE_SECONDS=60
others="rank 0 2: "
fault dtype "tenon::all_reduce: expected one call on all ranks of group 'world'" \
  "$others"'all_reduce<sum> float32 "n d=2" of 2 2 (faults_of_calls.hpp:' \
  'rank 1: all_reduce<sum> float64 "n d=2" of 2 2 (faults_of_calls.hpp:' "got at its collective 2"
fault spec 'rank 1: all_reduce<sum> float32 "m d=2"'
fault size "$others"'all_reduce<sum> float32 "n d=2" of 2 2' 'rank 1: all_reduce<sum> float32 "n d=2" of 3 2'
fault reduction 'rank 1: all_reduce<max>' "$others"'all_reduce<sum>'
fault operation 'rank 1: all_gather<n>' "$others"'all_reduce<sum>'
fault axis 'rank 1: all_gather<d> float32 "n d=2" of 2 _' "$others"'all_gather<n> float32 "n d=2" of _ 2'
fault cut 'rank 1: reduce_scatter<n> float32 "n d=2" of 4 2' "$others"'reduce_scatter<n>'
fault root 'root 1' 'root 0'
fault distance 'rank 1: shift<ring>' "$others"'shift<ring>'
fault order 'rank 1: barrier' "$others"'all_reduce<sum>'
fault begun 'rank 1: all_reduce<sum>' "$others"'begin_all_reduce<sum>'
fault received 'expected float64 "n d=2", got float32 "n d=2" from rank 0'
fault more 'rank 1: all_reduce<sum>' "$others"'barrier'
fault "exchanged axes" 'rank 1: all_to_all<d' "$others"'all_to_all<n'
fault "received sizes" 'expected float32 "n=3 d=2", got float32 "n d=2" from rank 0'
fault models "rank 1: average_gradients (faults_of_calls.hpp:" 'float32 "n d=2" of 2 2' 'float32 "n d=2" of 3 2'
fault "leaf sizes" 'float32 "row column" of 2 3' 'float32 "row column" of 3 2'
fault "leaf order" "'first' float32 \"n\" of 2" "'second' float32 \"n\" of 4" "rank 1: average_gradients"
fault "rows of trees" "rank 1: reduce_rows" "'first' of 2 rows of 1" "'second' of 4 rows of 1"
fault "pieces of trees" "rank 1: DeterministicSum<mean>" "'first' float32" "'second' float32"
fault "parts in another order" "rank 1: value_and_grad_averaged" '"n" of 2' '"n" of 4'
fault "other name" "of group 'dp'" "rank 1: all_reduce<sum>" "of group 'tp'"
fault "throw everywhere" 'rank 0 of 3: planted (host ' ', process ' 'and more'
fault "throw each its own" 'rank 0 of 3: planted 0 (host ' 'and more'
fault unreceived 'rank 1 of 3: World: expected that all values are received, got others at its end' \
  'rank 0 sent 2 values, the last one: send float32 "n d=2" of 2 2, root 1 (faults.cpp:'
fault metric 'rank 1: exact_sum<n>' "$others"'exact_mean<n>'
fault diverged "tenon::assert_same: 'second': expected one value on all ranks of group 'world'" \
  'got another in 1 of 2 leaves (faults.cpp:' 'rank 1: 1.5 at (2, 1), not 1.0 as rank 0'
fault pieces "tenon::DeterministicSum: 'micro-batch': expected each once, from 0 on, got none of 1"
fault "in backward: throw" 'rank 1 of 3: planted'
fault "in backward: crash"
fault "in backward: abort"
fault gradient 'gradient of copy_to float32 "n d=2"' 'rank 1: has left the world'
fault "ends early" 'waits in all_reduce<sum>' 'rank 1: has left the world'
fault "ends beside a thread" "tenon::World: expected one thread of a rank in collectives at a time"
fault throw 'rank 1 of 3: planted'
fault stage 'rank 1 of 3: planted'
fault uncaught 'rank 1 of 3: planted'
fault "caught outside" 'rank 1 of 3: an exception has left the world'
fault terminate 'rank 1 of 3: std::terminate was called'
fault exit 'rank 1 of 3: the program ended by exit() within its world'
fault quick  # what is said of these is mpirun's
fault kill
fault crash
fault mesh 'world size 3 is not divisible by 4 = tp 2 x pp 2'
fault twice "expected to begin once in a process, got a second time"
TENON_COLLECTIVE_SECONDS=2s fault sleep "expected a positive number, got '2s'"
export TENON_COLLECTIVE_SECONDS=2
fault sleep 'rank 0 of 3: waits in all_reduce<sum> float32 "n d=2" of 2 2 (faults.cpp:' \
  'in vain, for ' 'rank 1: is missing: it waits in no collective' 'rank 2: waits in all_reduce<sum>'
fault stop 'rank 0 of 3: waits in all_reduce<sum>' 'rank 1: is missing: it waits in no collective (host ' \
  'is stopped)'
fault "stop within" 'waits in a test' 'in vain, for ' 'rank 1: host ' ', is stopped'
fault "stop unchecked" 'waits in barrier' 'in vain, for ' 'rank 1: host ' ', is stopped'
fault "stop at the end" 'waits in the end of the world' 'rank 1: is missing' 'is stopped)'
fault crossed "collective 1 of group 'again'" "collective 2 of group 'world'" 'in vain'
launch=("$@" 2)
fault "other name" "rank 0: all_reduce<sum>" "of group 'dp'" "of group 'tp'"
fault "after its end" "expected a world that lives, got its end"
launch=("$@" 4)
fault "other mesh" "tenon::Mesh: expected one call on all ranks of group 'world'" \
  'rank 0 2 3: Mesh: dp=2 tp=2' 'rank 1: Mesh: tp=2 dp=2'
fault "throw everywhere" 'rank 0 of 4: planted'
wait
failures=$((count - $(find "$right" -type f | wc -l)))
echo "$count faults, $failures failures"
[ $failures -eq 0 ] && [ $count -ge 47 ]
