# The text of xsimd, with its own headers in the places of their includes.

# "a/b/../c" and "./c" as "a/c" and "c".
function plain_path(path) {
  gsub(/\/\.\//, "/", path)
  while (match(path, /[^\/.]+\/\.\.\//)) sub(/[^\/.]+\/\.\.\//, "", path)
  return path
}
function folder_of(path) { sub(/[^\/]*$/, "", path); return path }
function name_within(line) { sub(/^[^"]*"/, "", line); sub(/".*/, "", line); return line }

# Instruction sets, listed under conditions: each includes those that it implies.
function read_levels(isa,    line) {
  while ((getline line < isa) > 0)
    if (line ~ /^ *# *include "/) is_level[plain_path(folder_of(isa) name_within(line))] = 1
  close(isa)
}

# Whether a file stands in the text already, for all conditions that hold here.
function is_there(path, conditions,    i) {
  for (i = 1; i <= copies[path]; ++i)
    if (is_level[path] || index(conditions, where[path, i]) == 1) return 1
  where[path, ++copies[path]] = conditions
  return 0
}

# The conditions after a line of the preprocessor; guards of files are none.
function after_line(line, conditions) {
  if (line ~ /^ *# *if/) return conditions (line ~ /XSIMD_[A-Z0-9_]*HPP *$/ ? "\n" : line "\n")
  if (line ~ /^ *# *el/) sub(/[^\n]*\n$/, line "\n", conditions)
  if (line ~ /^ *# *endif/) sub(/[^\n]*\n$/, "", conditions)
  return conditions
}

function put_xsimd_file(path, conditions,    line, found) {
  if (is_there(path, conditions)) return
  while ((getline line < path) > 0) {
    found = 1
    if (line ~ /^ *# *include "xtl\//) continue  # not included unless its user asks for it
    if (line ~ /^ *# *include "/) {
      put_xsimd_file(plain_path(folder_of(path) name_within(line)), conditions)
      continue
    }
    conditions = after_line(line, conditions)
    put(line)
  }
  close(path)
  if (!found) fail(path ": expected a header of xsimd")
}

# It is no system header here, so its warnings are suppressed. A program may include its own xsimd
# before or after: both have the same guards.
function put_xsimd(folder,    i, count, warnings) {
  count = split("all extra pedantic conversion sign-conversion shadow sign-compare useless-cast " \
    "old-style-cast unused-parameter ignored-attributes double-promotion float-conversion " \
    "cast-align", warnings, " ")
  put("// begin xsimd")
  put("#pragma GCC diagnostic ignored \"-Wpragmas\"")
  put("#pragma GCC diagnostic ignored \"-Wunknown-warning-option\"")
  for (i = 1; i <= count; ++i) put("#pragma GCC diagnostic ignored \"-W" warnings[i] "\"")
  read_levels(folder "xsimd/arch/xsimd_isa.hpp")
  put_xsimd_file(folder "xsimd/xsimd.hpp", "")
  put("// end xsimd")
}
