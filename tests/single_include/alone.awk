# Lists the headers that a single header includes and that are neither of the standard library, nor
# of POSIX, nor within a condition: alone.awk HEADER. The guard and the #else of the first lines are
# none; within a condition, xsimd and Tenon's own are listed too.
function is_standard(name) { return name ~ /^[a-z_]+$/ }
function is_posix(name) { return name ~ /^(fcntl|unistd|dlfcn|sys\/stat|sys\/file)\.h$/ }
/^ *# *if/ { ++depth }
/^ *# *endif/ { --depth }
/^ *# *include *[<"]/ {
  name = $0
  sub(/^[^<"]*[<"]/, "", name)
  sub(/[>"].*/, "", name)
  if (name ~ /^(xsimd|tenon)\//) print name
  else if (depth <= 2 && !is_standard(name) && !is_posix(name)) print name
}
