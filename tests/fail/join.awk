# Prints one text for the cases that are its input: each in its own namespace, between marks, static
# assertions of which the compiler reports the number. After the last case is one mark more.
function mark() { printf "#line %d \"mark-of-case\"\nstatic_assert(false);\n", ++number }
function end_case() { if (number > 0) print "}"; mark() }

BEGIN { for (i = 1; i < ARGC; ++i) while ((getline line < ARGV[i]) > 0)
  if (line ~ /^#include/ && !(line in included)) { included[line] = 1; print line } }
FNR == 1 {
  end_case()
  printf "namespace file_%d {\n#line 1 \"%s\"\n", number - 1, FILENAME
}
{ print /^#include/ ? "" : $0 }
END { end_case() }
