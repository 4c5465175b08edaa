#!/usr/bin/env bash
# Further properties of the GPT example: rules_test.sh PROGRAM, run in its own folder.
set -euo pipefail
gpt=$1

fail() { echo "rules_test: $*" >&2; exit 1; }

rm -rf ./*

# --help prints the options, which scripts/demo knows before it compiles anything.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"$gpt" --help | sed '1s|^usage: [^ ]*|usage: scripts/demo|' | diff - "$root/examples/gpt/help.txt" ||
  fail "examples/gpt/help.txt is not what --help prints"

# ends STATUS WORDS ARGUMENT...: one line on stderr with this text, nothing else.
ends() {
  local status=0 expected=$1 words=$2
  shift 2
  "$gpt" "$@" >output 2>errors || status=$?
  [ "$status" = "$expected" ] || fail "expected status $expected for '$*', got $status"
  [ "$(wc -l <errors)" = 1 ] && [ ! -s output ] || fail "expected one line for '$*'"
  grep -q -- "$words" errors || fail "expected '$words' for '$*', got '$(cat errors)'"
}
refuses() { ends 1 "$@"; }
misses() { ends 2 "$@"; }
misses "'nonsense': expected a known key" --nonsense
misses "did you mean 'training.steps'" --training.stepz 3
misses "expected options, --key=value, got '100'" 100
misses "got --training.steps without a value" --steps
misses "'training.steps': expected a number from 1 to 1e+06, got '0'" --steps 0
misses "'training.steps': expected int64, got '12x'" --steps 12x
misses "'training.batch': expected int64, got '1e3'" --batch 1e3
misses "'training.batch': expected int64" --batch 99999999999999999999
misses "'seed': expected a number from 0 to 1e+09, got '-1'" --seed -1
misses "'threads': expected a number from 0 to 1024, got '-1'" --threads -1
misses "'text.temperature': expected a number from 0 to 100, got 'nan'" --temperature nan
misses "'gpu': expected one of these: .*cpu.*, got one that this program does not know" --device gpu
printf 'device = "gpu"\n' >gpu.toml
misses "'gpu': expected one of these: .*cpu" --config gpu.toml
: >my.yaml
misses "a file of TOML, got YAML" --config my.yaml
refuses "--length: expected --text" --length 32
refuses "--lesson: expected --export" --lesson x

# A configuration file; the command line comes after it.
printf 'seed = 5\n[training]\nsteps = 8\nbatch = 9\n' >my.toml
"$gpt" --config my.toml --training.batch=8 --tag file >/dev/null
grep -q '^batch = 8' runs/*_file/config_resolved.toml || fail "the command line is not used"
printf '[training]\nstepz = 8\n' >wrong.toml
misses "'training.stepz': expected a known key.*did you mean 'training.steps'.*wrong.toml:2" --config wrong.toml
misses "expected a file that can be read.*missing.toml" --config missing.toml

# A folder that cannot be created is an error before training; a tag is a name.
touch file
refuses "file/inside" --runs file/inside
refuses "tag" --tag ../x

# Invalid texts.
: >empty
printf 'too short' >short
refuses "expected a file that can be read, got No such file or directory (missing)" --text missing
refuses "expected a file, got a directory (.)" --text .
refuses "expected at least 65 bytes, got 0 in 'empty'" --text empty
refuses "expected at least 65 bytes, got 9 in 'short'" --text short
if [ "$(id -u)" != 0 ]; then
  printf 'secret%.0s' {1..100} >closed
  chmod 0 closed
  refuses "expected a file that can be read, got Permission denied (closed)" --text closed
fi

# The same seed gives the same results, for any number of threads and in every run.
few=(--steps 8 --batch 8 --seed 5)
folder() { echo runs/*_"$1"; }
state() { echo runs/*_"$1"/checkpoints/checkpoint_step_008.safetensors; }
cmp "$(state file)" "$("$gpt" "${few[@]}" --tag few >/dev/null; state few)"
for run in 1 2 3 again; do
  threads=${run/again/3}
  "$gpt" "${few[@]}" --threads "$threads" --tag run-$run >output.$run
  grep -v tokens/s output.$run | grep -v -e threads -e 'curve is in' >same.$run
  cmp same.1 same.$run
  cmp "$(state run-1)" "$(state run-$run)"
  for name in model.safetensors loss.svg; do cmp "$(folder run-1)/$name" "$(folder run-$run)/$name"; done
done
TENON_THREADS=2 "$gpt" "${few[@]}" --tag variable >/dev/null
cmp "$(state run-1)" "$(state variable)"
"$gpt" --steps 8 --batch 8 --seed 6 --tag other >/dev/null
! cmp -s "$(state run-1)" "$(state other)" || fail "another seed gives the same model"

# Without a terminal: a line for every tenth of the steps at most, and no control characters.
[ "$(grep -c tokens/s output.1)" -le 10 ] || fail "too many lines of progress"
! grep -q $'[\r\x1b]' output.1 || fail "control characters without a terminal"

# scripts/demo answers before it compiles: there is no folder of a build. Its errors are those of the
# program, with code 2.
demo() { BUILD=$PWD/build "$root/scripts/demo" "$@"; }
demo --help >output
grep -v -- --ranks output | diff - "$root/examples/gpt/help.txt" || fail "--help of scripts/demo"
demo --ranks 2 --help | diff - "$root/examples/gpt/help_over_ranks.txt" || fail "--help of ranks"
for option in --nonsense --training.stepz=3 --stepz --Seed --conifg=x --txet --a.b.c; do
  status=0
  "$gpt" "$option" 2>expected || true
  demo "$option" >output 2>errors || status=$?
  [ "$status" = 2 ] && [ ! -s output ] || fail "expected status 2 for scripts/demo $option, got $status"
  diff errors expected || fail "scripts/demo $option differs from the program"
done
# For a device the program lists those that it was built with, scripts/demo those that it can build.
one_list() { sed 's/one of these: .*, got/one of these: ..., got/' "$1"; }
printf '[training]\nsteps = 8\n' >table.toml
printf '  device\t=  "gpu"  # none\n' | cat - table.toml >spaces.toml
for arguments in "--device gpu" "--device=gpu" "--config gpu.toml" "--config=gpu.toml --seed 3" \
  "--config spaces.toml"; do
  status=0
  "$gpt" $arguments 2>expected || true
  demo $arguments >output 2>errors || status=$?
  [ "$status" = 2 ] || fail "expected status 2 for $arguments, got $status"
  diff <(one_list errors) <(one_list expected) || fail "scripts/demo $arguments differs from the program"
  grep -q "one of these: cpu, opencl, cuda, mps, got" errors || fail "got '$(cat errors)'"
done
# A key of another table is not the device: the program would be built for the processor alone.
mkdir stubs
printf '#!/bin/sh\necho install ok installed\n' >stubs/dpkg-query
printf '#!/bin/sh\necho "$*"; exit 1\n' >stubs/cmake
chmod +x stubs/*
printf '[other]\ndevice = "cuda"\n' >other.toml
PATH=$PWD/stubs:$PATH CXX=none demo --config other.toml >output 2>&1 || true
grep -q 'DTENON_DEMO_BACKEND=$' output || fail "a device of another table is used: '$(cat output)'"
[ ! -e build ] || fail "scripts/demo has compiled"

# Records of runs are no files of the repository.
! git -C "$root" rev-parse 2>/dev/null || git -C "$root" check-ignore -q runs/x || fail "runs/ is not ignored"
