#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/walk.hpp>

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
