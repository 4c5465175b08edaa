#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <tenon/backend/cpu/attention_numbers.hpp>
#include <tenon/backend/cpu/machine.hpp>
#include <tenon/backend/cpu/matmul/product_blocks.hpp>
#include <tenon/eval/draw.hpp>

/// What forward and backward of attention on the CPU share: blocks, packed operands, heads.
namespace tenon::internal {

/// The sizes of blocks: fixed, so that results do not depend on the number of threads. A part is
/// what one thread computes.
struct AttentionBlocks {
  static constexpr std::int64_t queries = 48, keys = 288, part = 512;
  static constexpr std::int64_t count(std::int64_t size, std::int64_t block) {
    return (size + block - 1) / block;
  }
};

/// A matrix whose rows are summed over, packed for products.
template <class T>
struct PackedMatrix {
  using Panels = simd::RightPanels<T>;
  std::int64_t columns = 0, terms = 0;
  T* data = nullptr;

  static std::int64_t elements(std::int64_t columns, std::int64_t terms) {
    return Panels::elements(columns, terms);
  }
  void pack(StridedMatrix<T const> from) { Panels::pack(columns, terms, from, data); }

  /// At least `needed` of the columns, in complete panels.
  std::int64_t columns_for(std::int64_t needed) const {
    std::int64_t const whole = (needed + Panels::columns - 1) / Panels::columns * Panels::columns;
    return whole + simd::width<T> < columns ? whole : columns;
  }

  /// c = a b, or c += a b, for this b: m x k and k x n.
  void product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
               StridedMatrix<T> c, bool accumulate, T* left) const {
    simd::block_product<T>(m, n, k, a, simd::RightBlock<T>(terms, data), c, accumulate, left);
  }
};

/// One head of one batch element: positions are some steps apart, in elements.
template <class T>
struct AttendedHead {
  using R = Lanes<T>;
  static constexpr int lanes = CpuMachine::count;

  CpuAttentionNumbers const& numbers;
  AttentionMemory<T> const& memory;
  std::int64_t head, first_query, first_key, query_step, key_step;

  AttendedHead(CpuAttentionNumbers const& n, AttentionMemory<T> const& m, std::int64_t number)
      : numbers(n),
        memory(m),
        head(number),
        query_step(n.heads * n.width),
        key_step(n.key_heads * n.width) {
    std::int64_t const batch = head / n.heads, own = head % n.heads;
    first_query = batch * n.queries * query_step + own * n.width;
    first_key = batch * n.keys * key_step + own / n.group() * n.width;
  }

  template <class X>
  StridedMatrix<X> queries(X* all, std::int64_t i) const {
    return {all + first_query + i * query_step, query_step, 1};
  }
  template <class X>
  StridedMatrix<X> keys(X* all, std::int64_t j) const {
    return {all + first_key + j * key_step, key_step, 1};
  }
  /// How many of `count` keys from `first` on the query sees.
  std::int64_t seen(std::int64_t query, std::int64_t first, std::int64_t count) const {
    if (!numbers.is_causal) return count;
    return std::clamp(query + numbers.ahead() + 1 - first, std::int64_t{0}, count);
  }
  /// The number of keys that some query before `end` sees.
  std::int64_t seen_before(std::int64_t end) const {
    return numbers.is_causal ? std::clamp(end + numbers.ahead(), std::int64_t{0}, numbers.keys)
                             : numbers.keys;
  }
  T* log_sums() const { return memory.log_sums + head * numbers.queries; }
  /// The factor that scores still lack after `mask`.
  R scale() const { return R(numbers.mask.data == nullptr ? static_cast<T>(numbers.scale) : T(1)); }
  /// Scales and masks the scores of a query and `count` keys from `first` on, if there is a mask.
  void mask(std::int64_t query, std::int64_t first, std::int64_t count, T* scores) const {
    AttentionMask const& mask = numbers.mask;
    if (mask.data == nullptr) return;
    std::int64_t const at = head / numbers.heads * mask.batch + head % numbers.heads * mask.head +
                            query * mask.query + first * mask.key;
    auto const scale = static_cast<T>(numbers.scale);
    if (mask.is_boolean) {
      auto const* const seen = static_cast<bool const*>(mask.data) + at;
      for (std::int64_t j = 0; j < count; ++j)
        scores[j] = seen[j * mask.key] ? scores[j] * scale : -std::numeric_limits<T>::infinity();
    } else {
      auto const* const added = static_cast<T const*>(mask.data) + at;
      for (std::int64_t j = 0; j < count; ++j) scores[j] = scores[j] * scale + added[j * mask.key];
    }
  }
};

/// Which weights of a row are kept, by random words.
template <class T>
class AttentionKept {
 public:
  /// In units of T.
  static constexpr std::int64_t elements = AttentionBlocks::keys;

  explicit AttentionKept(T* memory) : words_(reinterpret_cast<std::uint32_t*>(memory)) {}

  /// For `count` weights of a query from a key on.
  void draw(AttendedHead<T> const& of, std::int64_t query, std::int64_t key, std::int64_t count) {
    CpuAttentionNumbers const& n = of.numbers;
    if (!n.drops()) return;
    std::int64_t const first = (of.head * n.queries + query) * n.keys + key;
    std::int64_t at = draw_rest_of_block<CpuMachine>(n.dropout.key, 0, first, words_, count);
    for (; at < count; at += 4 * CpuMachine::count)
      draw_blocks<CpuMachine>(n.dropout.key, 0, (first + at) / 4, words_ + at, count - at);
  }
  /// Drops some of `count` weights, or of their adjoints, and scales the others.
  void drop(AttendedHead<T> const& of, T* row, std::int64_t count) const {
    AttentionDropout const& dropout = of.numbers.dropout;
    if (!of.numbers.drops()) return;
    if (dropout.bound == 0) return (void)std::fill_n(row, count, T(0));
    auto const last = static_cast<std::uint32_t>(dropout.bound - 1);
    auto const factor = static_cast<T>(dropout.factor);
    for (std::int64_t j = 0; j < count; ++j) row[j] = words_[j] <= last ? row[j] * factor : T(0);
  }

 private:
  std::uint32_t* words_;
};

/// Calls f(j, n) for the lanes of a row of `count` elements.
template <class F>
TENON_INLINE inline void for_lanes(std::int64_t count, F const& f) {
  constexpr int lanes = CpuMachine::count;
  std::int64_t j = 0;
  for (; j + lanes <= count; j += lanes) f(j, lanes);
  if (j < count) f(j, static_cast<int>(count - j));
}

/// Divides memory, in elements, into parts that begin on cache lines.
template <class T>
struct AttentionRoom {
  T* next;
  static constexpr std::int64_t rounded(std::int64_t elements) { return (elements + 15) / 16 * 16; }
  T* take(std::int64_t elements) {
    T* const begin = next;
    next += rounded(elements);
    return begin;
  }
};

}  // namespace tenon::internal
