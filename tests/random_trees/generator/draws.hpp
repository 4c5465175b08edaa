#pragma once

#include <cstdint>
#include <vector>

namespace trees {

/// Random choices from a fixed seed, the same on every machine (Steele, Lea, Flood: SplitMix64).
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }

  template <class T>
  T const& of(std::vector<T> const& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }

  /// A random subset of the given size, in order.
  template <class T>
  std::vector<T> some(std::vector<T> all, std::size_t count) {
    while (all.size() > count) all.erase(all.begin() + below(static_cast<int>(all.size())));
    return all;
  }

 private:
  std::uint64_t state_;
};

}  // namespace trees
