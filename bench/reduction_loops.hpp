#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

/// Reductions written by hand for 512-bit registers, as -ffast-math permits: four independent sums
/// in any order, and undefined results for NaN.
#pragma GCC diagnostic ignored "-Wpsabi"  // no register is an argument of code compiled elsewhere
namespace bench {

template <class T>
struct Register {
  using type [[gnu::vector_size(64)]] = T;
};
template <class T>
using RegisterOf = typename Register<T>::type;
template <class T>
inline constexpr std::int64_t register_width = 64 / sizeof(T);

template <class T>
RegisterOf<T> load(T const* from) {
  RegisterOf<T> x;
  std::memcpy(&x, from, sizeof(x));
  return x;
}

struct Total {
  template <class T>
  static constexpr T none = T(0);
  template <class V>
  static V f(V a, V b) {
    return a + b;
  }
};
struct Largest {
  template <class T>
  static constexpr T none = std::numeric_limits<T>::lowest();
  template <class V>
  static V f(V a, V b) {
    return a > b ? a : b;
  }
};

inline constexpr int chains = 8;
template <class T>
using Chains = std::array<RegisterOf<T>, std::size_t{chains}>;

/// Adds `of(x)` of one row to `sum`, register by register.
template <class Op, class T, class Of>
[[gnu::always_inline]] inline void fold_into(Chains<T>& sum, T const* from, std::int64_t n,
                                             Of const& of) {
  constexpr std::int64_t width = register_width<T>;
  for (std::int64_t j = 0; j + chains * width <= n; j += chains * width) {
#pragma GCC unroll 8
    for (int k = 0; k < chains; ++k) {
      auto& own = sum[static_cast<std::size_t>(k)];
      own = Op::f(own, of(load(from + j + k * width), 0));
    }
  }
}

template <class T>
RegisterOf<T> all_lanes(T x) {
  return RegisterOf<T>{} + x;
}

/// Reduces `rows` rows of n elements, `step` apart, to one number; n is a multiple of eight
/// registers.
template <class Op, class T, class Of>
T fold_rows(T const* from, std::int64_t rows, std::int64_t step, std::int64_t n, Of const& of) {
  Chains<T> sum;
  sum.fill(all_lanes(Op::template none<T>));
  for (std::int64_t i = 0; i < rows; ++i) fold_into<Op>(sum, from + i * step, n, of);
  for (std::size_t k = 1; k < sum.size(); ++k) sum[0] = Op::f(sum[0], sum[k]);
  T result = Op::template none<T>;
  for (std::int64_t k = 0; k < register_width<T>; ++k) result = Op::f(result, sum[0][k]);
  return result;
}

/// Reduces n columns of `rows` elements, `step` apart, into `to`: eight registers of columns at a
/// time.
template <class Op, class T, class Of>
void fold_columns(T const* from, std::int64_t rows, std::int64_t step, std::int64_t n, T* to,
                  Of const& of) {
  constexpr std::int64_t width = register_width<T>;
  for (std::int64_t j = 0; j + chains * width <= n; j += chains * width) {
    Chains<T> sum;
    sum.fill(all_lanes(Op::template none<T>));
    for (std::int64_t i = 0; i < rows; ++i) {
#pragma GCC unroll 8
      for (int k = 0; k < chains; ++k) {
        auto& own = sum[static_cast<std::size_t>(k)];
        own = Op::f(own, of(load(from + i * step + j + k * width), j + k * width));
      }
    }
    std::memcpy(to + j, sum.data(), sizeof(sum));
  }
}

/// (A separate function, so that it is not computed once for all measurements.)
template <class T>
[[gnu::noinline]] std::int64_t sum_of_integers(T const* from, std::int64_t n) {
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < n; ++i) total += from[i];
  return total;
}

}  // namespace bench
