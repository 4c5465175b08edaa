# Sourced by the tests of packages. Each has its own folder, WORK, which is emptied here.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$here/program.cpp
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK"

fail() { echo "failed: $*"; exit 1; }

# expect WHAT EXPECTED GOT
expect() { [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"; }

# need COMMAND...: skips the test if one of them is missing.
need() {
  local command
  for command in "$@"; do
    command -v "$command" >/dev/null || { echo "skipped: $command was not found"; exit 77; }
  done
}

# quiet COMMAND...: prints what it prints only if it fails.
quiet() { "$@" >command.log 2>&1 || { cat command.log; fail "$*"; }; }

# configure FOLDER OPTIONS...: the library alone, as a package manager configures it.
configure() {
  quiet "$CMAKE" -S "$ROOT" -B "$1" "-Dxsimd_DIR=$XSIMD_DIR" -DTENON_TESTS=OFF \
    -DTENON_EXAMPLES=OFF -DTENON_BENCH=OFF -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON "${@:2}"
}

# install_usr FOLDER: installs with the prefix /usr below that folder.
install_usr() {
  configure build -DCMAKE_INSTALL_PREFIX=/usr
  DESTDIR=$1 quiet "$CMAKE" --install build
}
