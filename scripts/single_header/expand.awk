# The text of headers of Tenon, each after all that it includes: scripts/single_include.
# Variables: include, the folder; contained, a file of headers to omit; names, where those written
# are listed; xsimd, the folder of xsimd/xsimd.hpp, or empty: its include stays.
function fail(words) { print words > "/dev/stderr"; exit 1 }
function put(line) {
  if (line != "" || !after_blank) print line
  after_blank = line == ""
}
function expand_below(header,    line, within) {
  while ((getline line < (include header)) > 0) {
    within += (line ~ /^#if/) - (line ~ /^#endif/)
    if (line !~ /^#include <tenon\//) continue
    sub(/^#include </, "", line)
    sub(/>.*/, "", line)
    if (line ~ /[.]ipp$/) { if (!done[line]++) runtime[count++] = line; continue }
    if (within) fail(header ": a header of Tenon within #if")
    expand(line)
  }
  close(include header)
}
function put_own(header,    line, within, skips) {
  while ((getline line < (include header)) > 0) {
    within += (line ~ /^#if/) - (line ~ /^#endif/)
    if (line ~ /^#if TENON_DEFINES_RUNTIME|^#if defined.TENON_COMMIT/) { skips = 1; continue }
    if (skips) { skips = line !~ /^#endif/; continue }
    if (line ~ /^#pragma once|^#include <tenon\//) continue
    if (line ~ /^#include/ && !within && done[line]++) continue
    if (line ~ /^#include <xsimd/ && xsimd) { put_xsimd(xsimd "/"); continue }
    put(line)
  }
  close(include header)
}
function put_named(header) {
  put("")
  put("// ---- " header)
  put("")
  put_own(header)
  print header > names
}
function expand(header) {
  if (done[header]++) return
  expand_below(header)
  put_named(header)
}
BEGIN {
  while ((getline line < contained) > 0) done[line] = 1
  for (i = 1; i < ARGC; ++i) expand(ARGV[i])
  for (i = 0; i < count; ++i) expand_below(runtime[i])
  if (count) put("#if TENON_DEFINES_RUNTIME")
  for (i = 0; i < count; ++i) put_named(runtime[i])
  if (count) put("#endif")
}
