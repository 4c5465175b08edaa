#pragma once

#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/tensor/index.hpp>

/// How the rows of a kernel are walked: run by run, a run in lanes.
namespace tenon::internal {

/// The runs of a row, one after the other: the accesses of the row are moved to the start of the
/// run. (A single run begins where the row does.)
class RunsOf {
 public:
  bool left;

  TENON_INLINE RunsOf(ScratchRow const& row, Accesses const& walking)
      : left(row.size() != 0), row_(row), walking_(walking) {
    if (row_.rank > 1) go_to_run();
  }
  TENON_INLINE void go_on() { left = row_.rank > 1 && go_to_next(); }

 private:
  void go_to_run();
  bool go_to_next();

  ScratchRow const& row_;
  Accesses walking_;
  ElementIndex middle_{};
};

/// The number of lanes of a tail: compilers can assume that it is less than a vector, and omit the
/// code for a whole one.
template <class M>
TENON_INLINE inline int tail_lanes(std::int64_t left) {
  if (left <= 0 || left >= M::count) __builtin_unreachable();
  return static_cast<int>(left);
}

/// Calls `body(j, n)` for the lanes from `begin` to `end`: all lanes of a vector, then the tail.
template <class M, class Body>
TENON_INLINE inline void walk_lanes(std::int64_t begin, std::int64_t end, Body const& body) {
  std::int64_t j = begin;
  for (; j + M::count <= end; j += M::count) body(j, M::count);
  if (j < end) body(j, tail_lanes<M>(end - j));
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

[[gnu::noinline]] TENON_RUNTIME void RunsOf::go_to_run() {
  walking_.each([&](MemoryAccess& access) {
    access.now = access.at + offset(access.row, middle_, row_.rank - 1);
  });
}

TENON_RUNTIME bool RunsOf::go_to_next() {
  bool const more = next(middle_, row_.sizes, row_.rank - 1);
  if (more) go_to_run();
  return more;
}

}  // namespace tenon::internal

#endif
