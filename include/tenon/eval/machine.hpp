#pragma once

#include <cstdint>

namespace tenon::internal {

/// The machine that computes one element at a time: `reference`, and constant evaluation.
struct ScalarMachine {
  static constexpr int count = 1;
  template <class T>
  using vector = T;

  template <class F>
  static void parallel_for(std::int64_t chunks, F const& f) {
    for (std::int64_t i = 0; i < chunks; ++i) f(i);
  }

  template <class T>
  static T load(T const* from) {
    return *from;
  }
  template <class T>
  static T load(T const* from, int) {
    return *from;
  }
  template <class T>
  static T load_strided(T const* from, std::int64_t, int) {
    return *from;
  }
  template <class T>
  static void store(T value, T* to) {
    *to = value;
  }
  template <class T>
  static void store(T value, T* to, int) {
    *to = value;
  }
  template <class T>
  static constexpr bool stores_past_caches = false;
  static bool is_aligned(void const*) { return true; }
  static void finish_past_caches() {}
  template <class T>
  static T lane(T value, int) {
    return value;
  }
  template <class T>
  static T first(T value, int n, T rest) {
    return n > 0 ? value : rest;
  }
  /// All lanes reduced to one; of n lanes only the first n, the others count as `rest`.
  template <class Op, class T>
  static T reduction(T value, int, T) {
    return value;
  }
};

}  // namespace tenon::internal
