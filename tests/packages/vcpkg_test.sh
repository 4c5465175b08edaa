#!/usr/bin/env bash
# The port of this checkout and that of a release are installed by functions in place of vcpkg's,
# and a program uses what they install.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need python3 ninja

# A manifest with a mistake is found.
python3 "$here/vcpkg_manifest.py" "$ROOT/vcpkg/ports/tenon/vcpkg.json" || fail "vcpkg.json"
for mistake in 's/"license"/"licence"/' 's/"version": "/&v/' 's/"eigen": {/"core": {/' \
  's/eigen3/Eigen3/' 's/"description": "Sharded.*/"description": "",/' 's/^  "name"/    "name"/'; do
  sed "$mistake" "$ROOT/vcpkg/ports/tenon/vcpkg.json" >wrong.json
  if python3 "$here/vcpkg_manifest.py" wrong.json 2>/dev/null; then fail "accepted after $mistake"; fi
done

# The archive of a release, with a folder for all files, as GitHub makes it.
mkdir "tenon-$VERSION"
cp -r "$ROOT"/{CMakeLists.txt,LICENSE,cmake,include,scripts,vcpkg} "tenon-$VERSION"
tar -czf release.tar.gz "tenon-$VERSION"
quiet "$ROOT/scripts/vcpkg_port" someone/tenon ports release.tar.gz
python3 "$here/vcpkg_manifest.py" ports/tenon/vcpkg.json || fail "vcpkg.json of the release"

# execute PORT_DIR FOLDER: installs in FOLDER/packages.
execute() {
  quiet "$CMAKE" "-DPORT_DIR=$1" "-DWORK=$2" "-DARCHIVE=$WORK/release.tar.gz" \
    -DREPOSITORY=someone/tenon "-DOPTIONS=-Dxsimd_DIR=$XSIMD_DIR" -P "$here/vcpkg.cmake"
}
execute "$ROOT/vcpkg/ports/tenon" "$WORK/checkout"
execute "$WORK/ports/tenon" "$WORK/release"
expect "difference of checkout and release" "" "$(diff -r checkout/packages release/packages)"

# What vcpkg checks after an installation.
installed=$(cd release/packages && find . -type f)
expect folders "include share" "$(cd release/packages && echo *)"
expect "folders in share" "pkgconfig tenon" "$(cd release/packages/share && echo *)"
expect "empty folders" "" "$(find release/packages -type d -empty)"
expect "files that name a folder of the build" "" "$(grep -rlF "$WORK" release/packages || true)"
for file in include/tenon/tenon.hpp share/tenon/{copyright,usage,tenon-config.cmake}; do
  grep -qx "./$file" <<<"$installed" || fail "$file is not installed"
done

# The program is built by the lines of `usage`.
grep -oE '^    (find_package|target_link_libraries).*' release/packages/share/tenon/usage |
  head -2 >lines
printf '%s\n' 'cmake_minimum_required(VERSION 3.23)' 'project(user LANGUAGES CXX)' \
  "add_executable(main $program)" 'include(lines)' >CMakeLists.txt
quiet "$CMAKE" -S . -B user -G Ninja "-DCMAKE_PREFIX_PATH=$WORK/release/packages" \
  "-Dxsimd_DIR=$XSIMD_DIR"
quiet "$CMAKE" --build user
quiet user/main
