# Divides cases, whose paths are its input, into runs of the compiler: prints the cases of a run in one
# line, about `many`. Cases of a run share headers: `FOLDER` is where the cases are. Those that count
# lines (see judge.awk) are by themselves, with the ones that expect a note at a line of their own last:
# their first error is in a header. A case for another compiler than FAMILY is in none.

# A line by which cases are sorted: the group, the headers beyond tenon.hpp, the order in it, the path.
function described(file,    line, folder, headers, counts, order, alone, other, every) {
  folder = "umbrella"
  while ((getline line < file) > 0) {
    if (line ~ /^\/\/ expect (within [0-9]+|lines( [a-z]+[+][+])?): /) counts = 1
    if (index(line, "// expect note: " substr(file, length(FOLDER) + 2) ":") == 1) order = 1
    if (line ~ /^\/\/ (expect-success|alone: )/) alone = 1
    if (index(line, "// compiler: ") == 1 && line != "// compiler: " FAMILY) other = 1
    if (line ~ /^#include/) every = every line
    if (line !~ /^#include <tenon\// || line ~ /<tenon\/tenon.hpp>/) continue
    sub(/^#include </, "", line); sub(/>.*/, "", line)
    headers = headers " " line
    if (match(line, /^tenon\/(distributed|io|testing|train)\//)) folder = substr(line, 1, RLENGTH)
  }
  close(file)
  if (counts) folder = "counts " every
  if (alone) folder = "alone " file
  if (other) return ""
  return folder "\t" headers "\t" (order + 0) "\t" file
}

function field(entry, number,    fields) { split(entry, fields, "\t"); return fields[number] }

# Prints the cases from `start` to before `end`, as runs of about the same size.
function print_runs(start, end,    runs, size, i) {
  runs = int((end - start) / many + 0.5)
  if (runs == 0) runs = 1
  size = int((end - start + runs - 1) / runs)
  for (i = start; i < end; ++i)
    printf "%s%s", field(sorted[i], 4), (i + 1 == end || (i - start + 1) % size == 0) ? "\n" : " "
}

{
  if ((entry = described($0)) == "") next
  for (i = count++; i > 0 && sorted[i - 1] > entry; --i) sorted[i] = sorted[i - 1]
  sorted[i] = entry
}
END {
  start = 0
  for (i = 1; i <= count; ++i)
    if (i == count || field(sorted[i], 1) != field(sorted[start], 1)) {
      print_runs(start, i)
      start = i
    }
}
