#!/usr/bin/env bash
# An installation with the prefix /usr, as a distribution packages it: only files that do not depend
# on the processor, in the folders for them, and none of them names the folder of the build.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
install_usr "$WORK/root"

files=$(cd root && find . -type f | sort)
folders='include/tenon|share/(cmake/tenon|pkgconfig|doc/tenon|tenon/debugger)'
elsewhere=$(grep -vE "^\./usr/($folders)/" <<<"$files") || true
expect "files in other folders" "" "$elsewhere"
for file in include/tenon/tenon.hpp include/tenon/io/npz.ipp include/tenon/compiled.hpp \
  share/cmake/tenon/tenon-config.cmake share/pkgconfig/tenon.pc share/doc/tenon/LICENSE; do
  grep -qx "./usr/$file" <<<"$files" || fail "$file is not installed"
done
expect headers "$(find "$ROOT/include" -type f | wc -l)" "$(grep -c /usr/include/ <<<"$files")"
expect "files that name a folder of the build" "" "$(grep -rlF -e "$WORK" -e "$ROOT" root || true)"
expect "empty folders" "" "$(find root -type d -empty)"
