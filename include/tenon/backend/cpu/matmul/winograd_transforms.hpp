#pragma once

#include <algorithm>
#include <cstdint>

#include <tenon/backend/cpu/matmul/product_tile.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/eval/contract/winograd.hpp>
#include <tenon/tensor/memory.hpp>

/// The transforms of Winograd's algorithm: tiles, kernels and products to and from 36 points.
namespace tenon::internal::simd {

/// The transforms of A. Lavin and S. Gray, "Fast algorithms for convolutional neural networks",
/// arXiv 1509.09308, section 4.3: Bᵀ of a tile, G of a kernel, Aᵀ of a product, along one axis.
template <class T>
struct WinogradTransform {
  using R = Batch<T>;
  static constexpr int points = 6, outputs = 4, taps = 3;

  TENON_INLINE static R fma(double x, R y, R z) { return Native::fma(R(static_cast<T>(x)), y, z); }
  TENON_INLINE static R times(double x, R y) { return R(static_cast<T>(x)) * y; }

  TENON_INLINE static void of_tile(R const (&x)[points], R (&y)[points]) {
    R const even = fma(-4, x[2], x[4]), odd = fma(-4, x[1], x[3]);
    R const even_at_2 = x[4] - x[2], odd_at_2 = x[3] - x[1];
    y[0] = fma(4, x[0], fma(-5, x[2], x[4]));
    y[1] = even + odd;
    y[2] = even - odd;
    y[3] = fma(2, odd_at_2, even_at_2);
    y[4] = fma(-2, odd_at_2, even_at_2);
    y[5] = fma(4, x[1], fma(-5, x[3], x[5]));
  }
  TENON_INLINE static void of_kernel(R const (&x)[taps], R (&y)[points]) {
    R const even = x[0] + x[2], even_at_2 = fma(1 / 24.0, x[0], times(1 / 6.0, x[2]));
    y[0] = times(1 / 4.0, x[0]);
    y[1] = times(-1 / 6.0, even + x[1]);
    y[2] = times(-1 / 6.0, even - x[1]);
    y[3] = fma(1 / 12.0, x[1], even_at_2);
    y[4] = fma(-1 / 12.0, x[1], even_at_2);
    y[5] = x[2];
  }
  TENON_INLINE static void of_product(R const (&x)[points], R (&y)[outputs]) {
    R const even = x[1] + x[2], odd = x[1] - x[2];
    R const even_at_2 = x[3] + x[4], odd_at_2 = x[3] - x[4];
    y[0] = x[0] + even + even_at_2;
    y[1] = fma(2, odd_at_2, odd);
    y[2] = fma(4, even_at_2, even);
    y[3] = fma(8, odd_at_2, odd) + x[5];
  }
};

/// A transform along both axes: from rows of `from_row` registers `from_step` elements apart to
/// rows of `to_size` registers, `to_step` apart.
template <int from_size, int to_size, class T, class F>
TENON_INLINE inline void transform_square(T const* from, std::int64_t from_row,
                                          std::int64_t from_step, T* to, std::int64_t to_step,
                                          F const& f) {
  using R = Batch<T>;
  R middle[std::size_t{to_size}][std::size_t{from_size}];
#pragma GCC unroll 8
  for (int j = 0; j < from_size; ++j) {
    R x[std::size_t{from_size}], y[std::size_t{to_size}];
#pragma GCC unroll 8
    for (int i = 0; i < from_size; ++i)
      x[i] = R::load_unaligned(from + (i * from_row + j) * from_step);
    f(x, y);
#pragma GCC unroll 8
    for (int i = 0; i < to_size; ++i) middle[i][j] = y[i];
  }
#pragma GCC unroll 8
  for (int i = 0; i < to_size; ++i) {
    R y[std::size_t{to_size}];
    f(middle[i], y);
#pragma GCC unroll 8
    for (int j = 0; j < to_size; ++j) y[j].store_unaligned(to + (i * to_size + j) * to_step);
  }
}

/// The transforms of registers of tiles, kernels and products; their 36 points are `step` apart.
template <class T>
[[gnu::noinline]] void transform_tiles(T const* from, T* to, std::int64_t step) {
  transform_square<6, 6>(from, 8, width<T>, to, step, WinogradTransform<T>::of_tile);
}
template <class T>
[[gnu::noinline]] void transform_kernels(T const* from, T* to, std::int64_t step) {
  transform_square<3, 6>(from, 3, width<T>, to, step, WinogradTransform<T>::of_kernel);
}
template <class T>
[[gnu::noinline]] void transform_products(T const* from, std::int64_t step, T* to) {
  transform_square<6, 4>(from, 6, step, to, width<T>, WinogradTransform<T>::of_product);
}

}  // namespace tenon::internal::simd

namespace tenon::internal {

/// The distance of one point of transforms from the next, for this number of elements: no multiple
/// of 4 KB, which would map to a single set of a cache.
template <class T>
constexpr std::int64_t winograd_apart(std::int64_t elements) {
  constexpr std::int64_t line = 64 / sizeof(T);
  return (elements + line - 1) / line * line + line;
}

/// The transforms of all kernels, "point out channel".
template <class T>
struct WinogradKernels {
  static constexpr std::int64_t lanes = simd::width<T>;

  WinogradProduct const& product;
  std::int64_t row = simd::RightPanels<T>::whole(product.channel.extent) + lanes;
  std::int64_t apart = winograd_apart<T>(product.out.extent * row);
  SharedBuffer memory{static_cast<std::size_t>(36 * apart) * sizeof(T)};

  void transform(T const* from) const {
    constexpr std::int64_t at_once = 4096;
    std::int64_t const group = at_once / product.channel.extent + 1, outs = product.out.extent;
    parallel_for((outs + group - 1) / group, [&](std::int64_t chunk) {
      for (std::int64_t o = chunk * group; o < (std::min)(outs, (chunk + 1) * group); ++o)
        transform_row(from + o * product.out.b, memory.as<T>() + o * row);
    });
  }
  /// The kernels at a point, from an output on.
  StridedMatrix<T const> at(std::int64_t point, std::int64_t out) const {
    return {memory.as<T const>() + point * apart + out * row, row, 1};
  }

 private:
  void transform_row(T const* from, T* to) const {
    std::int64_t const channels = product.channel.extent;
    for (std::int64_t c = 0; c < channels; c += lanes) {
      alignas(64) T taps[std::size_t{9 * lanes}] = {};
      for (std::int64_t i = 0; i < (std::min)(lanes, channels - c); ++i)
        read(from + (c + i) * product.channel.b, taps + i);
      simd::transform_kernels<T>(taps, to + c, apart);
    }
  }
  void read(T const* from, T* to) const {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j, to += lanes)
        *to = from[i * product.kernel_row + j * product.kernel_column];
  }
};

}  // namespace tenon::internal
