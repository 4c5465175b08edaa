#pragma once

#include <cmath>

#include "reduction_loops.hpp"

#ifdef __AVX512F__
#include <immintrin.h>

/// The maximum of numbers by hand, where one NaN makes the result NaN: the instruction for the
/// maximum of two ignores some NaN, so pairs of registers are also compared. (It does not
/// distinguish the zeros.)
namespace bench {

using namespace tenon::internal;

/// The mask of lanes in which no NaN has occurred.
inline __mmask16 numbers(__mmask16 so_far, RegisterOf<float> a, RegisterOf<float> b) {
  return _mm512_mask_cmp_ps_mask(so_far, a, b, _CMP_ORD_Q);
}
inline __mmask8 numbers(__mmask8 so_far, RegisterOf<double> a, RegisterOf<double> b) {
  return _mm512_mask_cmp_pd_mask(so_far, a, b, _CMP_ORD_Q);
}
template <class T>
using Mask = std::conditional_t<sizeof(T) == 4, __mmask16, __mmask8>;

/// Eight registers per step; adjacent ones share a mask.
template <class T>
struct LargestSoFar {
  Chains<T> sum;
  Mask<T> a = every, b = every, c = every, d = every;
  static constexpr Mask<T> every = static_cast<Mask<T>>(-1);

  LargestSoFar() { sum.fill(all_lanes(Largest::none<T>)); }
  bool is_sound() const { return (a & b & c & d) == every; }

  [[gnu::always_inline]] void step(T const* from) {
    pair<0>(a, from);
    pair<2>(b, from);
    pair<4>(c, from);
    pair<6>(d, from);
  }

 private:
  template <int k>
  [[gnu::always_inline]] void pair(Mask<T>& mask, T const* from) {
    auto const x = load(from + k * register_width<T>), y = load(from + (k + 1) * register_width<T>);
    mask = numbers(mask, x, y);
    sum[k] = Largest::f(sum[k], x);
    sum[k + 1] = Largest::f(sum[k + 1], y);
  }
};

/// Like `fold_rows`.
template <class T>
T largest_of_rows(T const* from, std::int64_t rows, std::int64_t step, std::int64_t n) {
  constexpr std::int64_t wide = chains * register_width<T>;
  LargestSoFar<T> so_far;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j + wide <= n; j += wide) so_far.step(from + i * step + j);
  }
  if (!so_far.is_sound()) return std::numeric_limits<T>::quiet_NaN();
  auto& sum = so_far.sum;
  for (std::size_t k = 1; k < sum.size(); ++k) sum[0] = Largest::f(sum[0], sum[k]);
  T result = Largest::none<T>;
  for (std::int64_t k = 0; k < register_width<T>; ++k) result = Largest::f(result, sum[0][k]);
  return result;
}

/// Like `fold_columns`; if one element is NaN the columns are read again.
template <class T>
void largest_of_columns(T const* from, std::int64_t rows, std::int64_t step, std::int64_t n,
                        T* to) {
  constexpr std::int64_t wide = chains * register_width<T>;
  for (std::int64_t j = 0; j + wide <= n; j += wide) {
    LargestSoFar<T> so_far;
    for (std::int64_t i = 0; i < rows; ++i) so_far.step(from + i * step + j);
    std::memcpy(to + j, so_far.sum.data(), sizeof(so_far.sum));
    if (so_far.is_sound()) continue;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t k = j; k < j + wide; ++k)
        if (std::isnan(from[i * step + k])) to[k] = from[i * step + k];
    }
  }
}

}  // namespace bench
#endif
