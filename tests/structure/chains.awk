# Groups headers into chains in which each header includes, directly or not, the one before it. One
# compilation of a chain then shows that each of its headers compiles alone, as whatever precedes a
# header is included by it anyway.
# Input: lines "header" and "header included". Output: a line for each chain, "base: header ...";
# with -v bases="a b", the last of these that all of its headers include, or nothing, before the
# colon.
function reach(from, header,    i) {
  for (i = 1; i <= degree[header]; i++)
    if (!((from, included[header, i]) in reaches)) {
      reaches[from, included[header, i]]
      weight[from]++
      reach(from, included[header, i])
    }
}

function base_of(header,    i, base) {
  for (i = 1; i <= base_count; i++) if ((header, base_name[i]) in reaches) base = base_name[i]
  return base
}

# The heaviest header that is in no chain yet and, if `above` is given, is included by it and has
# its base.
function heaviest(above,    header, best) {
  best = ""
  for (header in open)
    if (above == "" || (base[header] == base[above] && (above, header) in reaches))
      if (best == "" || weight[header] > weight[best] ||
          (weight[header] == weight[best] && header < best)) best = header
  return best
}

NF == 1 { open[$1] }
NF == 2 { included[$1, ++degree[$1]] = $2 }
END {
  base_count = split(bases, base_name, " ")
  for (header in open) reach(header, header)
  for (header in open) base[header] = base_of(header)
  while ((top = heaviest("")) != "") {
    chain = ""
    for (header = top; header != ""; header = heaviest(header)) {
      chain = " " header chain
      delete open[header]
    }
    print base[top] ":" chain
  }
}
