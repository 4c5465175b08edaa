#!/usr/bin/env bash
# Installs Tenon from its build folder, builds the user's project in consumer/ with the package, and
# runs its tests: those named reported.* must fail with their reason, all others pass.
# Usage: WORK=folder consumer_test.sh BUILD COMPILER
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$WORK"; mkdir -p "$WORK"
quietly() { "$@" >"$WORK/said.txt" 2>&1 || { cat "$WORK/said.txt"; exit 1; }; }
quietly cmake --install "$1" --prefix "$WORK/installed"
quietly cmake -S "$here/consumer" -B "$WORK/build" -DCMAKE_CXX_COMPILER="$2" \
  -DCMAKE_PREFIX_PATH="$WORK/installed" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0
quietly cmake --build "$WORK/build"
ctest --test-dir "$WORK/build" --output-on-failure >"$WORK/tests.txt" 2>&1
for line in "60% tests passed, 2 tests failed out of 5" "reported.other_words (Failed)" \
  "reported.compiles (Failed)" "expected an error with 'no words of this error', got" \
  "expected an error with 'axes_do_not_fit', but it"; do
  tr -s '\n ' '  ' <"$WORK/tests.txt" | grep -qF -- "$line" ||
    { cat "$WORK/tests.txt"; echo "expected: $line"; exit 1; }
done

# The same functions with the folder of Tenon.
quietly cmake -S "$here/consumer" -B "$WORK/folder" -DCMAKE_CXX_COMPILER="$2" \
  -DTENON_FOLDER="$here/../.." -DCMAKE_BUILD_TYPE=Debug -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
quietly ctest --test-dir "$WORK/folder" --output-on-failure --no-tests=error -R '^other_pixels$'
