#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <tenon/backend/cpu/matmul/product.hpp>
#include <tenon/backend/cpu/matmul/winograd_transforms.hpp>
#include <tenon/backend/cpu/simd/transpose.hpp>

/// Convolutions by Winograd's algorithm. The operand is cut into tiles of 6 x 6 at steps of 4, each
/// for 4 x 4 results; tiles and kernels are transformed to 36 points, at each of which the
/// transforms are multiplied as matrices: kernels "point out channel" by tiles "point channel
/// tile".
namespace tenon::internal {

/// A tile: where it begins in the operand and in the result, and how many rows and columns of
/// results it has.
struct WinogradTile {
  std::int64_t a, c, rows, columns;
  /// Whether its rows are contiguous, and two elements behind each are readable.
  bool reads_ahead;

  bool is_whole() const {
    return rows == WinogradProduct::outputs && columns == WinogradProduct::outputs;
  }
};

/// How a convolution is divided among threads: some consecutive tiles, and some outputs; by sizes
/// alone.
struct WinogradCut {
  /// Tiles whose transforms and products stay in a cache, and the most in one part.
  static constexpr std::int64_t usual = 48, most = usual + usual / 2 + 16;

  std::int64_t tiles, outs;

  WinogradCut(WinogradProduct const& product, std::int64_t lanes) {
    constexpr std::int64_t few = 16, block = 128;
    std::int64_t const all = product.tiles(), out = product.out.extent;
    std::int64_t const parts = std::max<std::int64_t>(1, (all + usual / 2) / usual);
    tiles = ((all + parts - 1) / parts + lanes - 1) / lanes * lanes;
    outs = parts < few && out >= 2 * block ? block : out;
  }
};

/// Some consecutive tiles in a thread's scratch memory: their transforms, and the products for some
/// outputs.
template <class T>
class WinogradTiles {
  using Panels = simd::RightPanels<T>;
  static constexpr std::int64_t lanes = simd::width<T>, points = 36, outputs = 4;
  static constexpr std::int64_t results = outputs * outputs;
  static constexpr std::int64_t room = 8;  ///< For the six elements of a tile's row.

 public:
  static std::int64_t elements(WinogradProduct const& product, WinogradCut const& cut) {
    std::int64_t const channels = product.channel.extent;
    return points *
               (winograd_apart<T>(cut.tiles * channels) + winograd_apart<T>(cut.tiles * cut.outs)) +
           simd::LeftPanel<T>::elements(channels);
  }

  WinogradTiles(ProductPlan<T> const& plan, WinogradCut const& cut, std::int64_t first, T* memory)
      : product_(*plan.winograd),
        matrix_(plan.matrix),
        channels_(product_.channel.extent),
        count_((std::min)(cut.tiles, product_.tiles() - first)),
        whole_(Panels::whole(count_)),
        apart_(winograd_apart<T>(whole_ * channels_)),
        products_apart_(winograd_apart<T>(whole_ * cut.outs)),
        transforms_(memory),
        products_(transforms_ + points * apart_),
        left_(products_ + points * products_apart_) {
    for (std::int64_t i = 0; i < count_; ++i) tiles_[i] = tile(first + i);
  }

  /// Computes `count` outputs from `first` on.
  void run(WinogradKernels<T> const& kernels, std::int64_t first, std::int64_t count) const {
    transform();
    for (std::int64_t point = 0; point < points; ++point)
      multiply(point, count, kernels.at(point, first));
    store(count, matrix_.c + first * product_.out.c);
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

  /// Whether the rows of a register of tiles are registers that can be read in place.
  bool reads_in_place(WinogradTile const* tiles, std::int64_t count) const {
    bool all = room == lanes && count == lanes;
    for (std::int64_t i = 0; i < count; ++i)
      all = all && tiles[i].is_whole() && tiles[i].reads_ahead;
    return all;
  }

  /// Element by element of a register of tiles: their registers, in rows of `room`.
  void read_across(WinogradTile const* tiles, std::int64_t count, T const* from, T* across) const {
    using R = simd::Batch<T>;
    if (reads_in_place(tiles, count)) {
      for (std::int64_t i = 0; i < 6; ++i, across += room * lanes) {
        R row[std::size_t{lanes}];
#pragma GCC unroll 16
        for (std::int64_t k = 0; k < lanes; ++k) {
          T const* const place = from + tiles[k].a + i * product_.row.a;
          row[k] = R::load_unaligned(place);
          if (k % 4 == 0) __builtin_prefetch(place + product_.channel.a);
        }
        simd::transpose_registers(row);
#pragma GCC unroll 16
        for (std::int64_t j = 0; j < lanes; ++j) row[j].store_unaligned(across + j * lanes);
      }
      return;
    }
    alignas(64) T rows[std::size_t{lanes} * 6 * room] = {};
    for (std::int64_t i = 0; i < count; ++i) read(tiles[i], from + tiles[i].a, rows + i * 6 * room);
    for (std::int64_t i = 0; i < 6 * room; i += lanes)
      simd::transpose_square<T>(lanes, lanes, {rows + i, 6 * room, 1}, across + i * lanes, lanes);
  }

  /// Transforms all tiles, a register of them at a time, to panels of the right matrix.
  void transform() const {
    std::int64_t const together = product_.channel.a == 1 ? channels_ / lanes * lanes : 0;
    for (std::int64_t at = 0; at < count_; at += lanes)
      for (std::int64_t c = 0; c < together; c += lanes) transform_channels(c, at);
    for (std::int64_t c = together; c < channels_; ++c)
      for (std::int64_t at = 0; at < count_; at += lanes) transform_channel(c, at);
  }

  void transform_channel(std::int64_t channel, std::int64_t at) const {
    alignas(64) T across[std::size_t{lanes} * 6 * room];
    read_across(tiles_ + at, (std::min)(lanes, count_ - at),
                matrix_.a + channel * product_.channel.a, across);
    simd::transform_tiles<T>(across, place(channel, at), apart_);
  }

  /// The same for a register of contiguous channels.
  void transform_channels(std::int64_t channel, std::int64_t at) const {
    constexpr std::int64_t each = lanes * 6 * room;
    alignas(64) T across[std::size_t{lanes} * each];
    for (std::int64_t i = 0; i < 6; ++i)
      for (std::int64_t j = 0; j < 6; ++j) {
        simd::Batch<T> row[std::size_t{lanes}];
        for (std::int64_t k = 0; k < lanes; ++k) row[k] = channels_at(at + k, channel, i, j);
        simd::transpose_registers(row);
        T* const to = across + (i * room + j) * lanes;
        for (std::int64_t k = 0; k < lanes; ++k) row[k].store_unaligned(to + k * each);
      }
    for (std::int64_t k = 0; k < lanes; ++k)
      simd::transform_tiles<T>(across + k * each, place(channel + k, at), apart_);
  }

  /// A register of channels of an element of a tile; zeros beyond the operand.
  TENON_INLINE simd::Batch<T> channels_at(std::int64_t number, std::int64_t channel, std::int64_t i,
                                          std::int64_t j) const {
    WinogradTile const& tile = tiles_[number];
    bool const inside = number < count_ && i < tile.rows + 2 && j < tile.columns + 2;
    if (!inside) return simd::Batch<T>(T(0));
    return simd::Batch<T>::load_unaligned(matrix_.a + channel + tile.a + i * product_.row.a +
                                          j * product_.column.a);
  }

  /// The address of a channel of a tile's transform.
  T* place(std::int64_t channel, std::int64_t tile) const {
    std::int64_t first = 0, length = Panels::next(whole_);
    for (; first + length <= tile; length = Panels::next(whole_ - first)) first += length;
    return transforms_ + first * channels_ + channel * length + (tile - first);
  }

  /// The product at one point, panel by panel, each of which stays in a cache.
  void multiply(std::int64_t point, std::int64_t outs, StridedMatrix<T const> kernels) const {
    T const* const right = transforms_ + point * apart_;
    StridedMatrix<T> const c{products_ + point * products_apart_, whole_, 1};
    for (std::int64_t j = 0, length; j < whole_; j += length) {
      length = Panels::next(whole_ - j);
      simd::block_product<T>(outs, length, channels_, kernels,
                             simd::RightBlock<T>(channels_, right + j * channels_), c.from(0, j),
                             false, left_);
    }
  }

  /// Transforms the products of all tiles, a register of them at a time, and stores `outs` results
  /// of each.
  void store(std::int64_t outs, T* to) const {
    std::int64_t const together = product_.out.c == 1 ? outs / lanes * lanes : 0;
    for (std::int64_t at = 0; at < count_; at += lanes)
      for (std::int64_t o = 0; o < together; o += lanes) store_outputs(o, at, to + o);
    for (std::int64_t o = together; o < outs; ++o)
      for (std::int64_t at = 0; at < count_; at += lanes)
        store_output(o, at, to + o * product_.out.c);
  }

  void store_output(std::int64_t out, std::int64_t at, T* to) const {
    alignas(64) T across[std::size_t{lanes} * results], rows[std::size_t{lanes} * results];
    simd::transform_products<T>(products_ + out * whole_ + at, products_apart_, across);
    for (std::int64_t i = 0; i < results; i += lanes)
      simd::transpose_square<T>(lanes, lanes, {across + i * lanes, lanes, 1}, rows + i, results);
    for (std::int64_t i = 0; i < (std::min)(lanes, count_ - at); ++i)
      write(tiles_[at + i], rows + i * results, to + tiles_[at + i].c);
  }

  /// The same for a register of contiguous outputs.
  void store_outputs(std::int64_t out, std::int64_t at, T* to) const {
    constexpr std::int64_t each = lanes * results;
    alignas(64) T across[std::size_t{lanes} * each];
    for (std::int64_t k = 0; k < lanes; ++k)
      simd::transform_products<T>(products_ + (out + k) * whole_ + at, products_apart_,
                                  across + k * each);
    for (std::int64_t i = 0; i < results; ++i) {
      simd::Batch<T> row[std::size_t{lanes}];
      for (std::int64_t k = 0; k < lanes; ++k)
        row[k] = simd::Batch<T>::load_unaligned(across + k * each + i * lanes);
      simd::transpose_registers(row);
      for (std::int64_t k = 0; k < lanes; ++k) put(at + k, i / outputs, i % outputs, row[k], to);
    }
  }

  /// Stores a register of outputs at a place of a tile, if the result has it.
  TENON_INLINE void put(std::int64_t number, std::int64_t i, std::int64_t j, simd::Batch<T> value,
                        T* to) const {
    WinogradTile const& tile = tiles_[number];
    if (number >= count_ || i >= tile.rows || j >= tile.columns) return;
    T* const place = to + tile.c + i * product_.row.c + j * product_.column.c;
    (matrix_.accumulate ? simd::Batch<T>::load_unaligned(place) + value : value)
        .store_unaligned(place);
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
  std::int64_t channels_, count_;
  std::int64_t whole_;                   ///< The number of tiles, in full registers.
  std::int64_t apart_, products_apart_;  ///< From one point to the next.
  T *transforms_, *products_, *left_;
  WinogradTile tiles_[std::size_t{WinogradCut::most}];
};

template <class T>
void CpuProducts<T>::multiply_winograd(ProductPlan<T> const& plan)
  requires std::floating_point<T>
{
  WinogradProduct const& product = *plan.winograd;
  WinogradKernels<T> const kernels{product};
  kernels.transform(plan.matrix.b);
  WinogradCut const cut(product, simd::width<T>);
  std::int64_t const outs = product.out.extent, blocks = (outs + cut.outs - 1) / cut.outs;
  std::int64_t const parts = (product.tiles() + cut.tiles - 1) / cut.tiles;
  auto const bytes = static_cast<std::size_t>(WinogradTiles<T>::elements(product, cut)) * sizeof(T);
  parallel_for(parts * blocks, bytes, [&](std::int64_t chunk, std::byte* scratch) {
    std::int64_t const out = chunk % blocks * cut.outs;
    WinogradTiles<T> const tiles(plan, cut, chunk / blocks * cut.tiles,
                                 reinterpret_cast<T*>(scratch));
    tiles.run(kernels, out, (std::min)(cut.outs, outs - out));
  });
}

}  // namespace tenon::internal
