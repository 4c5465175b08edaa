#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "compare.hpp"

/// Measurements of a few nanoseconds: the compiler must neither know the inputs nor remove the
/// result.
namespace small {

/// From here on the values are opaque to the optimizer.
template <class X, class Y>
[[gnu::always_inline]] inline void opaque(X& x, Y& y) {
  asm volatile("" : "+m"(x));
  asm volatile("" : "+m"(y));
}

/// Marks the value as used.
template <class X>
[[gnu::always_inline]] inline void seen(X& x) {
  asm volatile("" : : "m"(x));
}

inline void header() {
  std::printf("%-38s %9s %9s %9s %9s %9s %9s\n", "work, ns", "ours", "Eigen", "by hand", "/ Eigen",
              "/ hand", "differs");
}

/// The results of two alternatives.
template <class T>
struct Results {
  T const* ours;
  T const* peer;
  std::int64_t count;

  double difference() const {
    double worst = 0;
    for (std::int64_t i = 0; i < count; ++i)
      worst = std::max(worst, std::abs(double(ours[i]) - double(peer[i])));
    return worst;
  }
};

/// One line: the medians of the alternating measurements, and their ratios (above 1: ours is
/// faster).
template <class Ours, class Eigen, class Hand, class T>
void compare(char const* work, Ours const& ours, Eigen const& eigen, Hand const& hand,
             Results<T> const& results) {
  std::vector<double> times[3], ratios[2];
  for (int i = 0; i < 11; ++i) {
    double const t[] = {bench::seconds(ours), bench::seconds(eigen), bench::seconds(hand)};
    for (int k = 0; k < 3; ++k) times[k].push_back(t[k] * 1e9);
    for (int k = 0; k < 2; ++k) ratios[k].push_back(t[k + 1] / t[0]);
  }
  std::printf("%-38s %9.2f %9.2f %9.2f %8.2fx %8.2fx %9.1e\n", work, bench::median(times[0]),
              bench::median(times[1]), bench::median(times[2]), bench::median(ratios[0]),
              bench::median(ratios[1]), results.difference());
  bench::figure(work, "Eigen", bench::median(ratios[0]));
  bench::figure(work, "by hand", bench::median(ratios[1]));
}

/// The same without a handwritten loop.
template <class Ours, class Eigen, class T>
void compare(char const* work, Ours const& ours, Eigen const& eigen, Results<T> const& results) {
  std::vector<double> times[2], ratios;
  for (int i = 0; i < 11; ++i) {
    double const t[] = {bench::seconds(ours), bench::seconds(eigen)};
    for (int k = 0; k < 2; ++k) times[k].push_back(t[k] * 1e9);
    ratios.push_back(t[1] / t[0]);
  }
  std::printf("%-38s %9.2f %9.2f %9s %8.2fx %9s %9.1e\n", work, bench::median(times[0]),
              bench::median(times[1]), "-", bench::median(ratios), "-", results.difference());
  bench::figure(work, "Eigen", bench::median(ratios));
  bench::figure(work, "nanoseconds beyond it", bench::median(times[0]) - bench::median(times[1]));
}

}  // namespace small
