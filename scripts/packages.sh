# Sourced by scripts/test, scripts/demo and .ci/run: installs missing packages, chooses a compiler.
# Everything here works in Debian's and Ubuntu's shells, without interaction.

# With huge pages for its memory (glibc from 2.35; others ignore it) clang 16 compiles large tests in
# five sixths of the time; g++ 12 is unaffected.
[[ ${GLIBC_TUNABLES:-} = *hugetlb* ]] ||
  export GLIBC_TUNABLES=glibc.malloc.hugetlb=1${GLIBC_TUNABLES:+:$GLIBC_TUNABLES}

say() { printf '%s\n' "tenon: $*" >&2; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

is_installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }

# Installs the missing ones of the given packages; package lists are updated at most once.
install_packages() {
  local missing=() package
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null || { [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null; }; then
    say "expected to be root, or sudo without a password, on Debian or Ubuntu;" \
      "install these by hand: ${missing[*]}"
    return 1
  fi
  say "installing ${missing[*]}"
  if [ -z "${package_lists_are_new:-}" ]; then as_root apt-get update -qq >/dev/null || true; fi
  package_lists_are_new=yes
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Optional packages: prints a line instead of failing.
try_to_install() { install_packages "$@" || say "not available, skipped: $*"; }

supported_clang() {
  local version
  for version in 16 17 18 19 20 21; do
    if command -v "clang++-$version" >/dev/null; then echo "clang++-$version"; return; fi
  done
  return 1
}

# clang 16, or else the nearest newer one that is available.
install_clang() {
  supported_clang >/dev/null && return
  local version
  if [ -z "${package_lists_are_new:-}" ]; then as_root apt-get update -qq >/dev/null 2>&1 || true; fi
  package_lists_are_new=yes
  for version in 16 17 18 19 20 21; do
    if apt-cache show "clang-$version" >/dev/null 2>&1; then
      try_to_install "clang-$version" "libclang-rt-$version-dev"
      return
    fi
  done
  say "no package of clang 16 or newer is available"
}

# Sets CXX to g++ 12 or newer, unless the caller has set it.
choose_compiler() {
  [ -n "${CXX:-}" ] && return
  local version
  for CXX in g++ g++-12 g++-13 g++-14 g++-15; do
    version=$("$CXX" -dumpversion 2>/dev/null | cut -d. -f1)
    if [ "${version:-0}" -ge 12 ]; then export CXX; return; fi
  done
  install_packages g++-12 || return 1
  export CXX=g++-12
}

# The number of parallel compilations: as many as there are cores, with 2 GB of memory for each.
jobs_at_a_time() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ { print int($2 / 2000000) }' /proc/meminfo 2>/dev/null || echo 2)
  [ "${memory:-1}" -lt 1 ] && memory=1
  if [ "$memory" -lt "$cores" ]; then echo "$memory"; else echo "$cores"; fi
}

# Links build/python, the Python for comparisons, which is made once, to a build folder.
link_python_reference() {
  make_python_reference "$root/build/python"
  mkdir -p "$1"
  [ -e "$1/python" ] || ln -sfn "$root/build/python" "$1/python"
}

# A Python with the package safetensors in a folder: the reference of our files, and nanobind, with
# which a module is built. Optional.
make_python_reference() {
  [ -x "$1/bin/python3" ] && return
  try_to_install python3-venv
  { python3 -m venv "$1" && timeout 120 "$1/bin/pip" install -q numpy safetensors; } >/dev/null 2>&1 ||
    { rm -rf "$1"; say "Python's safetensors is not available: its test is skipped"; return; }
  try_to_install python3-dev
  timeout 120 "$1/bin/pip" install -q 'nanobind>=2.10' >/dev/null 2>&1 ||
    say "nanobind is not available: its test is skipped"
  timeout 240 "$1/bin/pip" install -q 'onnx>=1.23' onnxruntime >/dev/null 2>&1 ||
    say "Python's onnx and onnxruntime are not available: their test is skipped"
  timeout 120 "$1/bin/pip" install -q ml_dtypes >/dev/null 2>&1 ||
    say "ml_dtypes is not available: bfloat16 is not compared with it"
  timeout 120 "$1/bin/pip" install -q --no-deps tokenizers >/dev/null 2>&1 ||
    say "Python's tokenizers is not available: its test is skipped"
  timeout 120 "$1/bin/pip" install -q tensorboard >/dev/null 2>&1 ||
    say "Python's tensorboard is not available: its test is skipped"
  timeout 120 "$1/bin/pip" install -q 'conan>=2,<3' >/dev/null 2>&1 ||
    say "conan is not available: its test is skipped"
}

# A Python with the package ziglang in a folder: a clang with Apple's headers. Optional.
make_apple_compiler() {
  [ -x "$1/bin/python3" ] && return
  try_to_install python3-venv
  { python3 -m venv "$1" && timeout 60 "$1/bin/pip" install -q ziglang==0.13.0; } >/dev/null 2>&1 ||
    { rm -rf "$1"; say "Python's ziglang is not available: nothing is compiled for Apple"; }
}

install_build_packages() {
  if [ "$(uname -m)" = x86_64 ]; then try_to_install libxsimd-dev  # only tests use it there
  else install_packages libxsimd-dev || return 1; fi
  install_packages g++ cmake ninja-build ccache "$@" && choose_compiler
}

# What the tests in tests/newcomer.txt need; without the optional ones some of them are skipped.
install_newcomer_packages() {
  # One call of apt-get is faster; if a package is not available, it installs none.
  install_packages g++ cmake ninja-build ccache libxsimd-dev doctest-dev libboost-mpi-dev openmpi-bin \
    libtomlplusplus-dev 2>/dev/null || true
  install_build_packages doctest-dev
  try_to_install libboost-mpi-dev openmpi-bin  # many ranks
  try_to_install libtomlplusplus-dev  # configuration
}

# What all tests need.
install_test_packages() {
  install_newcomer_packages
  try_to_install pkg-config gdb catch2 libgtest-dev  # tests of tools and of frameworks of users
  try_to_install libeigen3-dev  # interchange
  try_to_install zlib1g-dev unzip  # files of NumPy
  try_to_install libyaml-cpp-dev
  try_to_install libspdlog-dev
  try_to_install ocl-icd-libopencl1 pocl-opencl-icd  # OpenCL on the processor
}
