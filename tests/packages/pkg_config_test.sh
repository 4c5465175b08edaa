#!/usr/bin/env bash
# A program compiles and links with the flags of pkg-config alone, wherever the package lies: the
# installation of system_layout_test.sh, moved.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need pkg-config
cp -r ../system_layout/root/usr moved

export PKG_CONFIG_PATH=$WORK/moved/share/pkgconfig
PKG_CONFIG_PATH+=:$XSIMD_DIR/../pkgconfig:$XSIMD_DIR/../../pkgconfig
expect version "$VERSION" "$(pkg-config --modversion tenon)"
pkg-config --validate tenon
requirements=
if pkg-config --exists xsimd && [ "$(uname -m)" != x86_64 ]; then requirements="xsimd >= 8.1"; fi
expect requirements "$requirements" "$(pkg-config --print-requires tenon)"
# shellcheck disable=SC2046
quiet "$CXX" -std=c++20 $(pkg-config --cflags tenon) "$program" -o program $(pkg-config --libs tenon)
quiet ./program

flags=" $(pkg-config --cflags --libs tenon) "
for flag in -pthread $([ "$(uname)" = Linux ] && echo -ldl); do
  [[ $flags == *" $flag "* ]] || fail "expected $flag, got$flags"
done

# Another xsimd, without xsimd.pc, and absolute folders.
mkdir xsimd
echo 'add_library(xsimd INTERFACE IMPORTED)
set(xsimd_VERSION 14.0.0)' >xsimd/xsimdConfig.cmake
XSIMD_DIR=$WORK/xsimd configure other -DCMAKE_INSTALL_PREFIX=/opt/tenon \
  -DCMAKE_INSTALL_INCLUDEDIR=/opt/headers
expect requirements "" "$(PKG_CONFIG_PATH=$WORK/other pkg-config --print-requires tenon)"
expect prefix /opt/tenon "$(PKG_CONFIG_PATH=$WORK/other pkg-config --variable=prefix tenon)"
expect "include folder" /opt/headers \
  "$(PKG_CONFIG_PATH=$WORK/other pkg-config --variable=includedir tenon)"
