#!/usr/bin/env bash
# Compiles each single header without warnings, and builds and runs a program of two files with
# them, also with a separately compiled runtime.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

for header in include/*.hpp; do
  name=$(basename "$header")
  [[ $name = tenon*_mpi.hpp && " $* " = *" -DTENON_WITHOUT_MPI "* ]] && continue
  [[ $name = tenon_eigen.hpp && " $* " = *" -DTENON_WITHOUT_EIGEN "* ]] && continue
  [[ $name =~ ^tenon_(mdspan|nanobind)\.hpp$ ]] && continue  # their libraries: tests/io
  [[ $name = tenon_npz.hpp && " $* " = *" -DTENON_WITHOUT_ZLIB "* ]] && continue
  [[ $name =~ ^tenon_(config|yaml|spdlog)\.hpp$ &&
    " $* " = *" -DTENON_WITHOUT_TRAIN_LIBRARIES "* ]] && continue
  echo "#include \"$name\"" >"${name%.hpp}.cpp"
  "${compile[@]}" -fsyntax-only "${name%.hpp}.cpp"
  echo "read: $name"
done

# program NAME FLAG SOURCE...: compiles, links and runs.
program() {
  local name=$1 flag=$2 source objects=()
  for source in "${@:3}"; do
    "${compile[@]}" "$flag" -c "$here/$source.cpp" -o "$name.$source.o"
    objects+=("$name.$source.o")
  done
  "$compiler" "${objects[@]}" -pthread -o "$name"
  "./$name"
  echo "passed: $name"
}
program header_only -UTENON_COMPILED main second
program compiled -DTENON_COMPILED main second runtime
