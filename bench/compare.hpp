#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "figures.hpp"

/// Compares alternatives that are timed alternately, so that variations of the clock frequency
/// affect all of them.
namespace bench {

/// Seconds that one call takes, measured over enough calls to fill two milliseconds.
template <class F>
double seconds(F const& f) {
  using Clock = std::chrono::steady_clock;
  for (std::int64_t calls = 1;; calls *= 2) {
    auto const start = Clock::now();
    for (std::int64_t i = 0; i < calls; ++i) f();
    double const taken = std::chrono::duration<double>(Clock::now() - start).count();
    if (taken > 2e-3) return taken / static_cast<double>(calls);
  }
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The times of a comparison: the median of our seconds, and the median over eleven rounds of (time
/// of `peer`) / (time of `ours`); above 1 ours is faster.
struct Pair {
  double seconds;
  double ratio;
};

template <class Ours, class Peer>
Pair compared(Ours const& ours, Peer const& peer) {
  std::vector<double> ratios, times;
  for (int i = 0; i < 11; ++i) {
    double const a = seconds(ours), b = seconds(peer);
    ratios.push_back(b / a);
    times.push_back(a);
  }
  return {median(times), median(ratios)};
}

template <class Ours, class Peer>
double speedup(Ours const& ours, Peer const& peer) {
  return compared(ours, peer).ratio;
}

/// The largest difference between two results, relative to the largest element.
template <class T>
double difference(T const* a, T const* b, std::int64_t count) {
  double worst = 0, scale = 1e-30;
  for (std::int64_t i = 0; i < count; ++i) {
    worst = std::max(worst, std::abs(double(a[i]) - double(b[i])));
    scale = std::max(scale, std::abs(double(b[i])));
  }
  return worst / scale;
}

inline void header() { std::printf("%-38s %-28s %10s %10s\n", "work", "peer", "speed", "differs"); }

/// One line of the table: the speed relative to the peer, and the difference of the results.
inline void line(char const* work, char const* peer, double speed, double differs) {
  std::printf("%-38s %-28s %9.2fx %10.1e\n", work, peer, speed, differs);
  figure(work, peer, speed);
}

/// The same with the time per element in nanoseconds.
inline void header_of_elements() {
  std::printf("%-38s %-28s %8s %9s %10s\n", "work", "peer", "ns", "speed", "differs");
}
inline void line_of_elements(char const* work, char const* peer, std::int64_t count,
                             Pair const& pair, double differs) {
  std::printf("%-38s %-28s %8.3f %8.2fx %10.1e\n", work, peer,
              pair.seconds * 1e9 / static_cast<double>(count), pair.ratio, differs);
  figure(work, peer, pair.ratio);
}

}  // namespace bench
