#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/communication/world.hpp>
#include <tenon/tenon.hpp>

#include "compare.hpp"

/// Alternatives over ranks that are timed alternately: all ranks call them equally often.
namespace bench {

/// Seconds per call of a number of calls, from the time when all ranks are ready.
template <class F>
double seconds_together(F const& f, int calls, tenon::Group const& group) {
  using Clock = std::chrono::steady_clock;
  tenon::barrier(group);
  auto const start = Clock::now();
  for (int i = 0; i < calls; ++i) f();
  double taken = std::chrono::duration<double>(Clock::now() - start).count() / calls;
  tenon::internal::mpi::all_reduce<tenon::op::max>(&taken, 1, group);
  return taken;
}

/// The same for two alternatives; the slowest rank counts.
template <class Ours, class Peer>
Pair compared_together(Ours const& ours, Peer const& peer, int calls, tenon::Group const& group) {
  std::vector<double> ratios, times;
  seconds_together(ours, calls, group), seconds_together(peer, calls, group);
  for (int turn = 0; turn < 31; ++turn) {
    double const a = seconds_together(ours, calls, group);
    double const b = seconds_together(peer, calls, group);
    ratios.push_back(b / a);
    times.push_back(a);
  }
  return {median(times), median(ratios)};
}

/// "1 KB", "16 MB"
inline std::string text_of_bytes(std::int64_t bytes) {
  bool const is_large = bytes >= 1 << 20;
  return std::to_string(bytes >> (is_large ? 20 : 10)) + (is_large ? " MB" : " KB");
}

}  // namespace bench
