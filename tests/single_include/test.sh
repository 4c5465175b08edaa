#!/usr/bin/env bash
# Compiles all single headers together without warnings, and builds and runs a program of two files with
# them; with ALL_CASES=ON also each alone, and the program with a separately compiled runtime.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Those whose libraries are here. Libraries of mdspan and nanobind: tests/io.
headers=()
for header in include/*.hpp; do
  name=$(basename "$header")
  [[ $name = tenon*_mpi.hpp && " $* " = *" -DTENON_WITHOUT_MPI "* ]] && continue
  [[ $name = tenon_eigen.hpp && " $* " = *" -DTENON_WITHOUT_EIGEN "* ]] && continue
  [[ $name =~ ^tenon_(mdspan|nanobind)\.hpp$ ]] && continue
  [[ $name = tenon_npz.hpp && " $* " = *" -DTENON_WITHOUT_ZLIB "* ]] && continue
  [[ $name =~ ^tenon_(config|yaml|spdlog)\.hpp$ &&
    " $* " = *" -DTENON_WITHOUT_TRAIN_LIBRARIES "* ]] && continue
  headers+=("$name")
done

# reads NAME HEADER...: a file that includes these headers compiles.
reads() {
  printf '#include "%s"\n' "${@:2}" >"$1.cpp"
  "${compile[@]}" -fsyntax-only "$1.cpp"
  echo "read: $1"
}
if [ "${ALL_CASES:-}" = ON ]; then
  for name in "${headers[@]}"; do reads "${name%.hpp}" "$name"; done
fi

# program NAME FLAG SOURCE...: compiles, links and runs.
program() {
  local name=$1 flag=$2 source objects=()
  for source in "${@:3}"; do
    "${compile[@]}" "$flag" -c "$source.cpp" -o "$name.$(basename "$source").o"
    objects+=("$name.$(basename "$source").o")
  done
  "$compiler" "${objects[@]}" -pthread -o "$name"
  "./$name"
  echo "passed: $name"
}
if [ "${ALL_CASES:-}" = ON ]; then
  printf '#include "%s"\n' "$here"/{main,second}.cpp >both.cpp
  program compiled -DTENON_COMPILED both "$here/runtime"
fi

# tenon.hpp is precompiled for the two files and the file of all headers. (g++ loses what a precompiled
# header disables of warnings.)
if "$compiler" --version | grep -qi clang; then
  echo '#include "tenon.hpp"' >parsed.hpp
  "${compile[@]}" -x c++-header parsed.hpp -o parsed.pch
  compile+=(-include-pch parsed.pch)
fi
reads all "${headers[@]}"
program header_only -UTENON_COMPILED "$here"/{main,second}
