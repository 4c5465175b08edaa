# The text of headers of Tenon, each after all that it includes: scripts/single_include.
# Variables: include, the folder; contained, a file of headers to omit; names, where those written
# are listed; xsimd, the folder of xsimd/xsimd.hpp, or empty: its include stays.
function fail(words) { print words > "/dev/stderr"; exit 1 }
function put(line) {
  if (line != "" || !after_blank) print line
  after_blank = line == ""
}
# Reads a file into lines[]: of which part each is ("runtime": what TENON_DEFINES_RUNTIME encloses, and
# a whole *.ipp), and within how many other #if. The lines of the enclosing #if are left out.
function scan(file,    line, n, depth, runtime) {
  runtime = file ~ /[.]ipp$/ ? -1 : 0
  while ((getline line < (include file)) > 0) {
    depth += line ~ /^#if/
    if (line ~ /^#if TENON_DEFINES_RUNTIME/) { runtime = depth; continue }
    if (line ~ /^#endif/ && depth-- == runtime) { runtime = 0; continue }
    lines[file, ++n] = line
    part[file, n] = runtime ? "runtime" : "declarations"
    within[file, n] = depth - (runtime > 0 ? runtime : 0)
  }
  close(include file)
  size[file] = n + 0
}
function header_in(line) {
  if (line !~ /^#include <tenon\//) return ""
  sub(/^#include </, "", line)
  sub(/>.*/, "", line)
  return line
}
function expand_below(file, of_part,    i, header) {
  for (i = 1; i <= size[file]; ++i) {
    header = header_in(lines[file, i])
    if (part[file, i] != of_part || header == "" || header ~ /[.]ipp$/) continue
    if (within[file, i]) fail(file ": a header of Tenon within #if")
    expand(header)
  }
}
function add_runtime(file) {
  if (added[file]++) return
  if (file ~ /[.]ipp$/) scan(file)
  runtime_of[count++] = file
}
# The runtime of a header: its own lines, and the files *.ipp that it includes.
function note_runtime(file,    i) {
  for (i = 1; i <= size[file]; ++i)
    if (part[file, i] == "runtime" && lines[file, i] !~ /^$|[.]ipp>$/) add_runtime(file)
  for (i = 1; i <= size[file]; ++i)
    if (lines[file, i] ~ /[.]ipp>$/) add_runtime(header_in(lines[file, i]))
}
function put_part(file, of_part,    i, line, skips) {
  put("")
  put("// ---- " file (file ~ /hpp$/ && of_part == "runtime" ? ", runtime" : ""))
  put("")
  for (i = 1; i <= size[file]; ++i) {
    line = lines[file, i]
    if (part[file, i] != of_part) continue
    if (line ~ /^#if defined.TENON_COMMIT/) { skips = 1; continue }
    if (skips) { skips = line !~ /^#endif/; continue }
    if (line ~ /^#pragma once|^#include <tenon\//) continue
    if (line ~ /^#include/ && !within[file, i] && done[line]++) continue
    if (line ~ /^#include <xsimd/ && xsimd) { put_xsimd(xsimd "/"); continue }
    put(line)
  }
}
function expand(header) {
  if (done[header]++) return
  scan(header)
  expand_below(header, "declarations")
  note_runtime(header)
  put_part(header, "declarations")
  print header > names
}
BEGIN {
  while ((getline line < contained) > 0) done[line] = 1
  for (i = 1; i < ARGC; ++i) expand(ARGV[i])
  for (i = 0; i < count; ++i) expand_below(runtime_of[i], "runtime")
  if (count) put("#if TENON_DEFINES_RUNTIME")
  for (i = 0; i < count; ++i) {
    put_part(runtime_of[i], "runtime")
    if (runtime_of[i] ~ /[.]ipp$/) print runtime_of[i] > names
  }
  if (count) put("#endif")
}
