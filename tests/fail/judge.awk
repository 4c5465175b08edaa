# Judges cases by what a compiler printed.
#   awk -f judge.awk CASE OUTPUT                for this case: prints "passed", or "failed: CASE" with the
#                                               reasons. -v status=0: it compiled
#   awk -v joint=1 -f judge.awk CASES OUTPUT    for the text that join.awk makes of these cases: prints
#                                               those that certainly pass
# -v FAMILY=g++ or clang++, -v ROOT=folder of the documents.
#
# The joint output is cut at the marks of join.awk. After a mark, an error at namespace scope of the main
# file, a compiler is as at its start, but for the way to a header, which g++ prints once: it is added
# where it is missing. What it prints until the next mark is then the output of one case. What it prints
# after the last mark, of templates that are instantiated at the end, belongs to the case whose path it
# has. Lines of a case are counted if none of them can be elsewhere: it has no error after the last mark,
# and no error is in a header after the last mark or in the part of an earlier case, as such an error may
# be printed once for all cases.

# says(KIND): whether a line of a case is of this kind; `rest` is what follows.
function says(kind) {
  if (index($0, "// " kind ": ") != 1) return 0
  rest = substr($0, length(kind) + 6)
  return 1
}
function expects(kind) { return says("expect" kind) || says("expect" kind " " FAMILY) }

function demand(kind, bound) {
  kinds[last, ++demands[last]] = kind
  texts[last, demands[last]] = rest
  bounds[last, demands[last]] = bound
}

function read_case() {
  if (FNR == 1) names[last = cases++] = FILENAME
  if (expects("")) { demand("first"); ++expected[last] }
  if (says("expect note")) demand("note")
  if (expects(" lines")) demand("lines", rest + 0)
  if (match($0, /^\/\/ expect within [0-9]+: /)) {
    rest = substr($0, RLENGTH + 1)
    demand("within", substr($0, 18) + 0)
  }
  if (FAMILY == "g++" && says("shown in")) demand("shown")
  if (index($0, "// expect-success") == 1) control = 1
}

function is_error() { return $0 ~ /(^|[: ])error: / }
function is_complaint() { return $0 ~ /(^|[: ])(error|warning): / }
function has_path(number) { return index($0, names[number] ":") == 1 }

# Adds this line to the output of a case.
function add(number) {
  if (joint) gsub("file_" number "::", "")
  if (joint && FAMILY == "g++") add_way(number)
  output[number, ++printed[number]] = $0
  if (is_error() && !(number in first)) first[number] = $0
}

# The lines "In file included from" that g++ prints before the first place in a header: `way` counts those
# before this line, and ways are the earlier ones, by header.
function add_way(number,    file, i) {
  if (/^(In file included|  +) *from /) { way_line[++way] = $0; return }
  if (match($0, /^[^ :]+: (In|At) /) || match($0, /^[^ :]+:[0-9]+:[0-9]+: (error|warning|note): /)) {
    file = $0
    sub(/:.*/, "", file)
    if (way > 0) { ways[file] = way; for (i = 1; i <= way; ++i) way_lines[file, i] = way_line[i] }
    else if ((file in ways) && !((number, file) in has_way))
      for (i = 1; i <= ways[file]; ++i) output[number, ++printed[number]] = way_lines[file, i]
    has_way[number, file] = 1
  }
  way = 0
}

# A mark out of order, or another error beside the cases: what follows is not cut into cases.
function read_mark() {
  if ($0 ~ /^mark-of-case: At global scope:$/) return
  if ($0 !~ "^mark-of-case:" (mark + 1) ":[0-9]+: error: static.assert") exit
  ++mark
  quoted = 2
}

# What both compilers quote after an error, as they can read the text of the mark or not.
function is_quoted() {
  if (quoted == 2 && /static_assert\(false\);$/) return quoted = 1
  if (quoted == 1 && /^[ |]*\^[~ ]*$/) { quoted = 0; return 1 }
  return quoted = 0
}

function read_part() {
  if (mark == 0 && is_error()) exit
  if (mark == 0) { late = 1; return }
  add(mark - 1)
  if (is_complaint() && !has_path(mark - 1) && !hidden_after) hidden_after = mark
}

# g++ prints the path before the error, clang after it, and neither repeats it for another error that is
# reached in the same way.
function read_end(   i, here) {
  here = ""
  for (i = 0; i < cases && here == ""; ++i) if (has_path(i)) here = i
  if (here != "" && waiting != "") { own_error(here, waiting); waiting = "" }
  if (here != "") reached = here
  if (is_complaint() && here != "") is_late[here] = 1
  if (is_complaint() && here == "") late = 1
  if (!is_error()) return
  if (waiting != "" && reached == "") lost = 1
  waiting = ""
  if (FAMILY == "g++") here = reached
  if (here != "") own_error(here, $0)
  else if (FAMILY == "g++") lost = 1
  else waiting = $0
}
function own_error(number, line) { if (!(number in late_first)) late_first[number] = line }

# Whether a document has a line as it follows "error:".
function is_shown(line, document,    text) {
  sub(/^.*error:/, "error:", line)
  while ((getline text < document) > 0) if (index(text, line)) { close(document); return 1 }
  close(document)
  return 0
}

# Whether one of the first lines of the output of a case has a text.
function has_line(number, lines, text,    i) {
  for (i = 1; i <= lines && i <= printed[number]; ++i) if (index(output[number, i], text)) return 1
  return 0
}

# The reason why a demand is not met, or "".
function missing(number, i,    kind, text, bound, countable, length_of) {
  kind = kinds[number, i]; text = texts[number, i]; bound = bounds[number, i]
  countable = !joint || (mark > cases && !late && !(number in is_late) && (!hidden_after || number < hidden_after))
  length_of = printed[number] + (joint && FAMILY != "g++")  # and "1 error generated."
  if (kind == "first" && !index(first[number], text)) return "expected: " text
  if (kind == "note" && !has_line(number, printed[number], text)) return "expected in a note: " text
  if (kind == "within" && !(countable && has_line(number, bound, text)))
    return "expected in the first " bound " lines: " text
  if (kind == "lines" && !(countable && length_of <= bound))
    return "expected: " bound " lines, got " length_of
  if (kind == "shown" && !is_shown(first[number], ROOT "/" text)) return "expected: the same line in " text
  return ""
}

function reasons(number,    i, reason, all) {
  for (i = 1; i <= demands[number]; ++i)
    if ((reason = missing(number, i)) != "") all = all "\n    " reason
  return all
}

function judge_joint(   i) {
  for (i = 0; i < cases; ++i) {
    if (mark <= i + 1) return
    if (!(i in first) && (i in late_first) && !lost) first[i] = late_first[i]
    if ((i in first) && expected[i] && reasons(i) == "") print names[i]
  }
}

function judge_alone(   all) {
  if (status == "0") return control ? "passed" : "failed: " names[0] " compiles"
  if (control) return "failed: " names[0] " does not compile: " first[0]
  if (!expected[0]) return "failed: " names[0] " has no line '// expect: words'"
  all = reasons(0)
  if (all == "") return "passed"
  return "failed: " names[0] all "\n    got: " ((0 in first) ? first[0] : "no error line")
}

FILENAME != ARGV[ARGC - 1] { read_case(); next }
!joint { add(0); next }
/^mark-of-case:/ { read_mark(); next }
quoted && is_quoted() { next }
mark <= cases { read_part(); next }
{ read_end() }
END {
  if (joint) judge_joint()
  else print judge_alone()
}
