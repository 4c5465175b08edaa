#pragma once

#include <algorithm>
#include <cstdint>

#include <tenon/eval/rows/layout.hpp>
#include <tenon/tensor/index.hpp>

/// How the rows of a kernel are walked: run by run, a run in lanes.
namespace tenon {

/// Calls `body()` for every run of a row; before, `frame` steps to where the run begins. (The only
/// run begins where the row does.)
template <class M, class Frame, class Body>
[[gnu::always_inline]] inline void walk_runs(ScratchRow const& row, Frame& frame,
                                             Body const& body) {
  ElementIndex middle{};
  if (row.size() == 0) return;
  do {
    if (row.rank > 1)
      frame.step([&](MemoryAccess& access) {
        access.now = access.at + offset(access.row, middle, row.rank - 1);
      });
    body();
  } while (row.rank > 1 && next(middle, row.sizes, row.rank - 1));
}

/// Calls `body(j, n)` for the lanes from `begin` to `end`: all lanes of a vector, then the tail.
template <class M, class Body>
[[gnu::always_inline]] inline void walk_lanes(std::int64_t begin, std::int64_t end,
                                              Body const& body) {
  std::int64_t j = begin;
  for (; j + M::count <= end; j += M::count) body(j, M::count);
  if (j < end) body(j, static_cast<int>(end - j));
}

/// Calls `body(j, n)` for the lanes of a row, run by run.
template <class M, class Frame, class Body>
[[gnu::always_inline]] inline void walk(ScratchRow const& row, Frame& frame, Body const& body) {
  walk_runs<M>(row, frame, [&] { walk_lanes<M>(0, row.inner(), body); });
}

}  // namespace tenon
