# Sourced by .ci/run and .ci/long: stages with a budget in minutes, and a report of their durations.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. scripts/packages.sh
# The folders of tests that .ci/run builds with g++, too: the values of tensors and their gradients.
# .ci/long builds the others with it.
both_compilers="autodiff;core;eval;expr;first_order;linalg;link;nn;op;optim;random;static;tensor;tree"
summary=()
failures=0

# stage NAME MINUTES COMMAND...
stage() {
  local name=$1 minutes=$2 started=$SECONDS outcome=passed
  shift 2
  printf '\n==== %s\n' "$name"
  timeout --kill-after=20 "${minutes}m" "$@" </dev/null
  local code=$?
  [ $code -eq 124 ] && outcome="out of its $minutes minutes"
  [ $code -ne 0 ] && [ $code -ne 124 ] && outcome="failed"
  [ $code -ne 0 ] && failures=$((failures + 1))
  summary+=("$(printf '%-28s %5d s  %s' "$name" $((SECONDS - started)) "$outcome")")
  echo "==== ${summary[-1]}"
}

# choose_other_compiler: sets `other` to an installed clang, or else to an available
# compiler.
choose_other_compiler() {
  install_clang
  try_to_install libeigen3-dev  # for the comparisons of the benchmarks
  other=$(supported_clang) || other=${CXX:-g++}
}

# report: the duration of each stage; fails if one has failed.
report() {
  printf '\n==== stages, on %s cores\n' "$(jobs_at_a_time)"
  printf '%s\n' "${summary[@]}"
  printf '%-28s %5d s\n' "all" "$SECONDS"
  [ "$failures" -eq 0 ]
}
