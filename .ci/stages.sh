# Sourced by .ci/run and .ci/long: stages with a budget in minutes, and a report of their durations.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. scripts/packages.sh
# Folders of tests that are built together with another compiler or under sanitizers: of the values
# of tensors and their gradients, the basics and the layers among them; of kernels; of training. What
# is in no group is in `others`.
basics="autodiff;core;expr;first_order;link;op;static;tensor;tree"
layers="linalg;nn;numeric;optim;random"
numbers="$basics;eval;$layers"
kernels="backend;every_op"
training="distributed;testing;train"
others=$(cd tests && printf '%s\n' */ | tr -d / | grep -vxE "${numbers//;/|}|${kernels//;/|}|${training//;/|}" |
  paste -sd ';')
summary=()
failures=0

# The commit, and whether files differ from it.
tested_commit() {
  local changes
  changes=$(git status --porcelain 2>/dev/null) || true
  echo "$(git rev-parse HEAD 2>/dev/null || echo unknown)${changes:+ with changes}"
}
commit=$(tested_commit)

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

# report: the commit and the duration of each stage; fails if one has failed, or if the sources have
# become those of another commit.
report() {
  printf '\n==== commit %s, on %s cores\n' "$commit" "$(jobs_at_a_time)"
  printf '%s\n' "${summary[@]}"
  printf '%-28s %5d s\n' "together" "$SECONDS"
  if [ "$commit" != "$(tested_commit)" ]; then
    echo "meanwhile the sources became those of $(tested_commit)"
    return 1
  fi
  [ "$failures" -eq 0 ]
}
