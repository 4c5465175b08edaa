#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <tenon/backend/cpu/matmul/product.hpp>
#include <tenon/backend/cpu/simd/transpose.hpp>

/// Convolutions by Winograd's algorithm. The operand is cut into tiles of 6 x 6 at steps of 4, each
/// for 4 x 4 results; tiles and kernels are transformed to 36 points, at each of which the
/// transforms are multiplied as matrices: kernels "point out channel" by tiles "point channel tile".
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

/// A tile: where it begins in the operand and in the result, and how many rows and columns of
/// results it has.
struct WinogradTile {
  std::int64_t a, c, rows, columns;
  bool reads_ahead;  ///< Whether its rows are contiguous, and two elements behind each are readable.

  bool is_whole() const {
    return rows == WinogradProduct::outputs && columns == WinogradProduct::outputs;
  }
};

/// Some consecutive tiles in a thread's scratch memory: their transforms, and the products.
template <class T>
class WinogradTiles {
  using Panels = simd::RightPanels<T>;
  static constexpr std::int64_t lanes = simd::width<T>, points = 36, outputs = 4;
  static constexpr std::int64_t room = 8;  ///< For the six elements of a tile's row.

 public:
  /// A number of tiles at once, so that transforms and products stay in a cache.
  static std::int64_t at_once(WinogradProduct const& product) {
    std::int64_t const few = Panels::columns;
    return product.tiles() >= 32 * few ? 2 * few : few;
  }
  static std::int64_t elements(WinogradProduct const& p) {
    return points * at_once(p) * (p.channel.extent + p.out.extent) +
           simd::LeftPanel<T>::elements(p.channel.extent);
  }

  WinogradTiles(ProductPlan<T> const& plan, std::int64_t first, T* memory)
      : product_(*plan.winograd),
        matrix_(plan.matrix),
        first_(first),
        count_((std::min)(at_once(product_), product_.tiles() - first)),
        whole_(Panels::whole(count_)),
        transforms_(memory),
        products_(transforms_ + points * at_once(product_) * product_.channel.extent),
        left_(products_ + points * at_once(product_) * product_.out.extent) {}

  void run(T const* kernels, std::int64_t kernel_row) const {
    for (std::int64_t i = 0; i < whole_; i += lanes) transform(i);
    for (std::int64_t point = 0; point < points; ++point)
      multiply(point, {kernels + point * product_.out.extent * kernel_row, kernel_row, 1});
    for (std::int64_t i = 0; i < count_; i += lanes) store(i);
  }

 private:
  WinogradTile tile(std::int64_t number) const {
    WinogradProduct const& p = product_;
    std::int64_t const all_columns = p.tile_columns(), row = number / all_columns;
    std::int64_t const y = row % p.tile_rows() * outputs, x = number % all_columns * outputs;
    LoopLabel const at = p.batch.place(row / p.tile_rows());
    std::int64_t const end = (p.row.extent + 1) * p.row.a + p.column.extent + 2;
    return {at.a + y * p.row.a + x * p.column.a, at.c + y * p.row.c + x * p.column.c,
            (std::min)(outputs, p.row.extent - y), (std::min)(outputs, p.column.extent - x),
            p.column.a == 1 && p.row.a > 0 && (y + 5) * p.row.a + x + room <= end};
  }

  /// Reads a tile as rows of `room` elements, with zeros beyond the operand.
  void read(WinogradTile const& tile, T const* from, T* to) const {
    if (tile.is_whole() && tile.reads_ahead) {
      for (std::int64_t i = 0; i < 6; ++i)
        std::memcpy(to + i * room, from + i * product_.row.a, room * sizeof(T));
      return;
    }
    std::fill_n(to, 6 * room, T(0));
    for (std::int64_t i = 0; i < tile.rows + 2; ++i)
      for (std::int64_t j = 0; j < tile.columns + 2; ++j)
        to[i * room + j] = from[i * product_.row.a + j * product_.column.a];
  }

  /// Transforms a register of tiles, all channels, to panels of the right matrix.
  void transform(std::int64_t at) const {
    std::int64_t const here = (std::min)(lanes, count_ - at), channels = product_.channel.extent;
    WinogradTile tiles[std::size_t{lanes}];
    for (std::int64_t i = 0; i < here; ++i) tiles[i] = tile(first_ + at + i);
    alignas(64) T rows[std::size_t{lanes} * 6 * room] = {}, across[std::size_t{lanes} * 6 * room];
    std::int64_t const panel = at / Panels::columns * Panels::columns;
    std::int64_t const length = (std::min)(Panels::columns, whole_ - panel);
    T* to = transforms_ + panel * channels + (at - panel);
    for (std::int64_t c = 0; c < channels; ++c, to += length) {
      T const* const from = matrix_.a + c * product_.channel.a;
      for (std::int64_t i = 0; i < here; ++i) read(tiles[i], from + tiles[i].a, rows + i * 6 * room);
      for (std::int64_t i = 0; i < 6 * room; i += lanes)
        simd::transpose_square<T>(lanes, lanes, {rows + i, 6 * room, 1}, across + i * lanes, lanes);
      simd::transform_tiles<T>(across, to, whole_ * channels);
    }
  }

  /// The product at one point, panel by panel, each of which stays in a cache.
  void multiply(std::int64_t point, StridedMatrix<T const> kernels) const {
    std::int64_t const channels = product_.channel.extent, outs = product_.out.extent;
    T const* const right = transforms_ + point * whole_ * channels;
    StridedMatrix<T> const c{products_ + point * whole_ * outs, whole_, 1};
    for (std::int64_t j = 0; j < whole_; j += Panels::columns)
      simd::block_product<T>(outs, (std::min)(Panels::columns, whole_ - j), channels, kernels,
                             simd::RightBlock<T>(channels, right + j * channels), c.from(0, j),
                             false, left_);
  }

  /// Transforms a register of products, all outputs, and stores the results.
  void store(std::int64_t at) const {
    std::int64_t const here = (std::min)(lanes, count_ - at), outs = product_.out.extent;
    WinogradTile tiles[std::size_t{lanes}];
    for (std::int64_t i = 0; i < here; ++i) tiles[i] = tile(first_ + at + i);
    constexpr std::int64_t all = outputs * outputs;
    alignas(64) T across[std::size_t{lanes} * all], rows[std::size_t{lanes} * all];
    for (std::int64_t o = 0; o < outs; ++o) {
      simd::transform_products<T>(products_ + o * whole_ + at, whole_ * outs, across);
      for (std::int64_t i = 0; i < all; i += lanes)
        simd::transpose_square<T>(lanes, lanes, {across + i * lanes, lanes, 1}, rows + i, all);
      T* const to = matrix_.c + o * product_.out.c;
      for (std::int64_t i = 0; i < here; ++i) write(tiles[i], rows + i * all, to + tiles[i].c);
    }
  }

  void write(WinogradTile const& tile, T const* from, T* to) const {
    if (tile.is_whole() && product_.column.c == 1 && !matrix_.accumulate) {
      for (std::int64_t i = 0; i < outputs; ++i)
        std::memcpy(to + i * product_.row.c, from + i * outputs, outputs * sizeof(T));
      return;
    }
    for (std::int64_t i = 0; i < tile.rows; ++i)
      for (std::int64_t j = 0; j < tile.columns; ++j) {
        T& result = to[i * product_.row.c + j * product_.column.c];
        T const value = from[i * outputs + j];
        result = matrix_.accumulate ? result + value : value;
      }
  }

  WinogradProduct const& product_;
  MatrixProduct<T> const& matrix_;
  std::int64_t first_, count_, whole_;
  T *transforms_, *products_, *left_;
};

/// The transforms of all kernels, "point out channel", with rows of `row` elements.
template <class T>
struct WinogradKernels {
  static constexpr std::int64_t lanes = simd::width<T>;

  WinogradProduct const& product;
  std::int64_t row = simd::RightPanels<T>::whole(product.channel.extent) + lanes;
  SharedBuffer memory{static_cast<std::size_t>(36 * product.out.extent * row) * sizeof(T)};

  void transform(T const* from) const {
    constexpr std::int64_t at_once = 4096;
    std::int64_t const group = at_once / product.channel.extent + 1, outs = product.out.extent;
    parallel_for((outs + group - 1) / group, [&](std::int64_t chunk) {
      for (std::int64_t o = chunk * group; o < (std::min)(outs, (chunk + 1) * group); ++o)
        transform_row(from + o * product.out.b, memory.as<T>() + o * row);
    });
  }

 private:
  void transform_row(T const* from, T* to) const {
    for (std::int64_t c = 0; c < product.channel.extent; c += lanes) {
      alignas(64) T taps[std::size_t{9 * lanes}] = {};
      std::int64_t const here = (std::min)(lanes, product.channel.extent - c);
      for (std::int64_t i = 0; i < 9 * here; ++i)
        taps[i % 9 * lanes + i / 9] =
            from[(c + i / 9) * product.channel.b + i % 9 / 3 * product.kernel_row +
                 i % 3 * product.kernel_column];
      simd::transform_kernels<T>(taps, to + c, product.out.extent * row);
    }
  }
};

template <class T>
void CpuProducts<T>::multiply_winograd(ProductPlan<T> const& plan)
  requires std::floating_point<T>
{
  using Tiles = WinogradTiles<T>;
  WinogradProduct const& product = *plan.winograd;
  WinogradKernels<T> const kernels{product};
  kernels.transform(plan.matrix.b);
  std::int64_t const at_once = Tiles::at_once(product);
  parallel_for((product.tiles() + at_once - 1) / at_once,
               static_cast<std::size_t>(Tiles::elements(product)) * sizeof(T),
               [&](std::int64_t chunk, std::byte* scratch) {
                 Tiles(plan, chunk * at_once, reinterpret_cast<T*>(scratch))
                     .run(kernels.memory.template as<T>(), kernels.row);
               });
}

}  // namespace tenon::internal
