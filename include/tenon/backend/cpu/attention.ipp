#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <tenon/backend/cpu/attention.hpp>
#include <tenon/backend/cpu/attention_head.hpp>
#include <tenon/op/cast.hpp>
#include <tenon/op/exponential.hpp>
#include <tenon/op/extremes.hpp>

namespace tenon::internal {

/// Some queries of a head, block by block.
template <class T>
class AttentionForward : AttendedHead<T> {
  using Head = AttendedHead<T>;
  using Blocks = AttentionBlocks;
  using R = Lanes<T>;
  using Head::numbers, Head::memory;

 public:
  static std::int64_t elements(CpuAttentionNumbers const& n) {
    std::int64_t const d = n.width, keys = (std::min)(Blocks::keys, n.keys);
    std::int64_t const blocks = Blocks::count(n.keys, Blocks::keys);
    auto const room = [](std::int64_t count) { return AttentionRoom<T>::rounded(count); };
    return blocks * (room(PackedMatrix<T>::elements(keys, d)) +
                     room(PackedMatrix<T>::elements(d, keys))) +
           room(Blocks::queries * Blocks::keys) + 2 * room(Blocks::queries) +
           room(AttentionKept<T>::elements) +
           room(simd::LeftPanel<T>::elements((std::max)(d, keys)));
  }

  AttentionForward(CpuAttentionNumbers const& n, AttentionMemory<T> const& m, std::int64_t number,
                   T* scratch)
      : Head(n, m, number), room_{scratch}, kept_(room_.take(AttentionKept<T>::elements)) {
    scores_ = room_.take(Blocks::queries * Blocks::keys);
    most_ = room_.take(Blocks::queries);
    total_ = room_.take(Blocks::queries);
    left_ = room_.take(
        simd::LeftPanel<T>::elements((std::max)(n.width, (std::min)(Blocks::keys, n.keys))));
  }

  void attend(std::int64_t begin, std::int64_t end) {
    T* const packed = room_.next;
    for (std::int64_t j = 0; j < this->seen_before(end); j += Blocks::keys) pack(j);
    for (std::int64_t i = begin; i < end; i += Blocks::queries) {
      room_.next = packed;
      attend_block(i, (std::min)(Blocks::queries, end - i));
    }
  }

 private:
  std::int64_t keys_from(std::int64_t j) const {
    return (std::min)(Blocks::keys, numbers.keys - j);
  }
  PackedMatrix<T> keys_at(std::int64_t j) {
    return {keys_from(j), numbers.width,
            room_.take(PackedMatrix<T>::elements(keys_from(j), numbers.width))};
  }
  PackedMatrix<T> values_at(std::int64_t j) {
    return {numbers.width, keys_from(j),
            room_.take(PackedMatrix<T>::elements(numbers.width, keys_from(j)))};
  }
  void pack(std::int64_t j) {
    keys_at(j).pack(this->keys(memory.k, j).transposed());
    values_at(j).pack(this->keys(memory.v, j));
  }

  void attend_block(std::int64_t i, std::int64_t count) {
    std::fill_n(most_, count, -std::numeric_limits<T>::infinity());
    std::fill_n(total_, count, T(0));
    auto const queries = this->queries(memory.q, i);
    auto const out = this->queries(memory.out, i);
    std::int64_t const seen = this->seen_before(i + count);
    for (std::int64_t j = 0; j < seen; j += Blocks::keys) {
      auto const keys = keys_at(j), values = values_at(j);
      std::int64_t const here = (std::min)(keys.columns, seen - j);
      keys.product(count, keys.columns_for(here), numbers.width, queries,
                   {scores_, Blocks::keys, 1}, false, left_);
      for (std::int64_t r = 0; r < count; ++r) {
        std::int64_t const own = this->seen(i + r, j, here);
        this->mask(i + r, j, own, scores_ + r * Blocks::keys);
        weigh(r, here, own, j > 0 ? &out(r, 0) : nullptr);
        kept_.draw(*this, i + r, j, own);
        kept_.drop(*this, scores_ + r * Blocks::keys, own);
      }
      values.product(count, numbers.width, here, {scores_, Blocks::keys, 1}, out, j > 0, left_);
    }
    for (std::int64_t r = 0; r < count; ++r) finish(r, &out(r, 0), this->log_sums()[i + r]);
  }

  /// The weights of the keys of a block for query r, relative to the largest score so far. Scales
  /// the result of the blocks before, `out`, unless it is null.
  void weigh(std::int64_t r, std::int64_t count, std::int64_t seen, T* out) {
    T* const row = scores_ + r * Blocks::keys;
    R const scale = this->scale();
    T const before = most_[r];
    most_[r] = largest(row, seen, before);
    T const shift = std::isinf(most_[r]) ? T(0) : most_[r];
    R sum(T(0));
    for_lanes(seen, [&](std::int64_t j, int n) {
      R const weight = op::Exp::f(R::load(row + j, n) * scale - R(shift));
      weight.store(row + j, n);
      sum = sum + CpuMachine::first(weight, n, T(0));
    });
    std::fill(row + seen, row + count, T(0));
    T const factor = before == most_[r] ? T(1) : op::Exp::f(before - shift);
    total_[r] = total_[r] * factor + sum.sum();
    if (out != nullptr && factor != T(1)) multiply_row(out, factor);
  }
  /// The largest of `before` and the scores.
  T largest(T const* row, std::int64_t seen, T before) const {
    R const scale = this->scale();
    R most(before);
    for_lanes(seen, [&](std::int64_t j, int n) {
      R const score = R::load(row + j, n) * scale;
      most = op::Maximum::f(most,
                            n == CpuMachine::count ? score : CpuMachine::first(score, n, before));
    });
    return (most.max)();
  }
  void multiply_row(T* row, T factor) const {
    for_lanes(numbers.width,
              [&](std::int64_t f, int n) { (R::load(row + f, n) * R(factor)).store(row + f, n); });
  }
  /// A query that sees no key has the result zero.
  void finish(std::int64_t r, T* out, T& log_sum) const {
    bool const sees_none = numbers.keys == 0 || (numbers.mask.data != nullptr && total_[r] == 0);
    if (sees_none) return (void)(std::fill_n(out, numbers.width, T(0)), log_sum = 0);
    for_lanes(numbers.width, [&](std::int64_t f, int n) {
      (R::load(out + f, n) / R(total_[r])).store(out + f, n);
    });
    log_sum = (std::isinf(most_[r]) ? T(0) : most_[r]) + std::log(total_[r]);
  }

  AttentionRoom<T> room_;
  AttentionKept<T> kept_;
  T *scores_, *most_, *total_, *left_;
};

/// The adjoints of a head, for one block of keys after the other.
template <class T>
class AttentionBackward : AttendedHead<T> {
  using Head = AttendedHead<T>;
  using Blocks = AttentionBlocks;
  using R = Lanes<T>;
  using Head::numbers, Head::memory;
  using Place = typename AttentionAdjoints<T>::Place;

 public:
  static std::int64_t elements(CpuAttentionNumbers const& n) {
    std::int64_t const d = n.width, keys = (std::min)(Blocks::keys, n.keys);
    auto const room = [](std::int64_t count) { return AttentionRoom<T>::rounded(count); };
    return room(n.queries) + room(AttentionKept<T>::elements) +
           2 * room(Blocks::queries * Blocks::keys) + 2 * room(PackedMatrix<T>::elements(keys, d)) +
           room(PackedMatrix<T>::elements(d, keys)) +
           2 * room(PackedMatrix<T>::elements(d, Blocks::queries)) + room(left(n));
  }
  AttentionBackward(CpuAttentionNumbers const& n, AttentionMemory<T> const& m,
                    AttentionAdjoints<T> const& adjoints, std::int64_t number, T* scratch)
      : Head(n, m, number),
        adjoints_(adjoints),
        room_{scratch},
        kept_(room_.take(AttentionKept<T>::elements)) {
    means_ = room_.take(n.queries);
    weights_ = room_.take(Blocks::queries * Blocks::keys);
    shares_ = room_.take(Blocks::queries * Blocks::keys);
    left_ = room_.take(left(n));
  }

  /// `is_first`: of the heads of queries with the same keys.
  void run(bool is_first) {
    clear(adjoints_.q, &AttendedHead<T>::template queries<T>, numbers.queries);
    if (is_first) {
      clear(adjoints_.k, &AttendedHead<T>::template keys<T>, numbers.keys);
      clear(adjoints_.v, &AttendedHead<T>::template keys<T>, numbers.keys);
    }
    for (std::int64_t i = 0; i < numbers.queries; ++i) means_[i] = mean(i);
    T* const rest = room_.next;
    for (std::int64_t j = 0; j < numbers.keys; j += Blocks::keys) {
      room_.next = rest;
      run_keys(j, (std::min)(Blocks::keys, numbers.keys - j));
    }
  }

 private:
  static std::int64_t left(CpuAttentionNumbers const& n) {
    return simd::LeftPanel<T>::elements(
        (std::max)({n.width, Blocks::queries, (std::min)(Blocks::keys, n.keys)}));
  }
  template <class Rows>
  void clear(Place const& place, Rows rows, std::int64_t count) const {
    if (place.to == nullptr || !place.is_new) return;
    for (std::int64_t i = 0; i < count; ++i)
      std::fill_n((this->*rows)(place.to, i).data, numbers.width, T(0));
  }
  /// The sum of the adjoints of a query's weights, each times its weight: that of its result.
  T mean(std::int64_t i) const {
    T const* const adjoint = this->queries(adjoints_.of_result, i).data;
    T const* const out = this->queries(memory.out, i).data;
    R sum(T(0));
    for_lanes(numbers.width, [&](std::int64_t f, int n) {
      sum = sum + CpuMachine::first(R::load(adjoint + f, n) * R::load(out + f, n), n, T(0));
    });
    return sum.sum();
  }
  PackedMatrix<T> packed(std::int64_t columns, std::int64_t terms, StridedMatrix<T const> from) {
    PackedMatrix<T> result{columns, terms, room_.take(PackedMatrix<T>::elements(columns, terms))};
    result.pack(from);
    return result;
  }

  void run_keys(std::int64_t j, std::int64_t count) {
    std::int64_t const d = numbers.width;
    auto const keys = packed(count, d, this->keys(memory.k, j).transposed());
    auto const values = packed(count, d, this->keys(memory.v, j).transposed());
    auto const key_rows = packed(d, count, this->keys(memory.k, j));
    std::int64_t const own = (std::max)(j - numbers.ahead(), std::int64_t{0});
    std::int64_t const first = numbers.is_causal ? own / Blocks::queries * Blocks::queries : 0;
    T* const rest = room_.next;
    for (std::int64_t i = first; i < numbers.queries; i += Blocks::queries) {
      std::int64_t const height = (std::min)(Blocks::queries, numbers.queries - i);
      std::int64_t const here = (std::min)(count, this->seen_before(i + height) - j);
      room_.next = rest;
      if (here > 0) run_block(i, height, j, here, keys, values, key_rows);
    }
  }

  void run_block(std::int64_t i, std::int64_t height, std::int64_t j, std::int64_t count,
                 PackedMatrix<T> const& keys, PackedMatrix<T> const& values,
                 PackedMatrix<T> const& key_rows) {
    std::int64_t const d = numbers.width, columns = keys.columns_for(count);
    StridedMatrix<T> const weights{weights_, Blocks::keys, 1}, shares{shares_, Blocks::keys, 1};
    auto const queries = this->queries(memory.q, i), result = this->queries(adjoints_.of_result, i);
    keys.product(height, columns, d, queries, weights, false, left_);
    values.product(height, columns, d, result, shares, false, left_);
    for (std::int64_t r = 0; r < height; ++r) {
      std::int64_t const seen = this->seen(i + r, j, count);
      this->mask(i + r, j, seen, weights_ + r * Blocks::keys);
      kept_.draw(*this, i + r, j, seen);
      kept_.drop(*this, shares_ + r * Blocks::keys, seen);
      share(i + r, r, seen, count);
      kept_.drop(*this, weights_ + r * Blocks::keys, seen);
    }
    add(adjoints_.v, j, count, height, weights, result);
    add(adjoints_.k, j, count, height, shares, queries);
    if (adjoints_.q.to == nullptr) return;
    key_rows.product(height, d, count, constant(shares), this->queries(adjoints_.q.to, i), true,
                     left_);
  }
  /// From scores and adjoints of weights: the weights of query i, and the adjoints of its scores.
  void share(std::int64_t i, std::int64_t r, std::int64_t seen, std::int64_t count) const {
    T *const weights = weights_ + r * Blocks::keys, *const shares = shares_ + r * Blocks::keys;
    R const scale = this->scale(), log_sum(this->log_sums()[i]), mean(means_[i]);
    R const of_product(static_cast<T>(numbers.scale));
    for_lanes(seen, [&](std::int64_t j, int n) {
      R const weight = op::Exp::f(R::load(weights + j, n) * scale - log_sum);
      weight.store(weights + j, n);
      (weight * (R::load(shares + j, n) - mean) * of_product).store(shares + j, n);
    });
    std::fill(weights + seen, weights + count, T(0));
    std::fill(shares + seen, shares + count, T(0));
  }
  /// Adds factorsᵀ x to the adjoints of keys or values.
  void add(Place const& place, std::int64_t j, std::int64_t count, std::int64_t height,
           StridedMatrix<T> factors, StridedMatrix<T const> x) {
    if (place.to == nullptr) return;
    auto const right = packed(numbers.width, height, x);
    right.product(count, numbers.width, height, constant(factors).transposed(),
                  this->keys(place.to, j), true, left_);
  }
  static StridedMatrix<T const> constant(StridedMatrix<T> x) {
    return {x.data, x.row_stride, x.column_stride};
  }

  AttentionAdjoints<T> const& adjoints_;
  AttentionRoom<T> room_;
  AttentionKept<T> kept_;
  T *means_, *weights_, *shares_, *left_;
};

template <class T>
void attend_blocks(CpuAttentionNumbers const& numbers, AttentionMemory<T> const& memory) {
  if (numbers.width == 0) return;
  std::int64_t const parts = AttentionBlocks::count(numbers.queries, AttentionBlocks::part);
  auto const bytes = static_cast<std::size_t>(AttentionForward<T>::elements(numbers)) * sizeof(T);
  parallel_for(numbers.rows * parts, bytes, [&](std::int64_t chunk, std::byte* scratch) {
    std::int64_t const begin = chunk % parts * AttentionBlocks::part;
    AttentionForward<T>(numbers, memory, chunk / parts, reinterpret_cast<T*>(scratch))
        .attend(begin, (std::min)(begin + AttentionBlocks::part, numbers.queries));
  });
}

template <class T>
void backward_blocks(CpuAttentionNumbers const& numbers, AttentionMemory<T> const& memory,
                     AttentionAdjoints<T> const& adjoints) {
  if (numbers.width == 0 || numbers.rows == 0) return;
  auto const bytes = static_cast<std::size_t>(AttentionBackward<T>::elements(numbers)) * sizeof(T);
  std::int64_t const group = numbers.group();
  parallel_for(numbers.rows / group, bytes, [&](std::int64_t keys, std::byte* scratch) {
    for (std::int64_t head = keys * group; head < (keys + 1) * group; ++head)
      AttentionBackward<T>(numbers, memory, adjoints, head, reinterpret_cast<T*>(scratch))
          .run(head == keys * group);
  });
}

/// The operands of attention of a 16-bit dtype as floats.
template <HalfType T>
class AttentionInFloat {
 public:
  AttentionInFloat(CpuAttentionNumbers const& n, AttentionMemory<T> const& memory)
      : numbers(n),
        queries_(n.rows * n.queries * n.width),
        keys_(n.rows / n.group() * n.keys * n.width),
        q_(copied(memory.q, queries_)),
        k_(copied(memory.k, keys_)),
        v_(copied(memory.v, keys_)),
        out_(copied(memory.out, queries_)) {
    AttentionMask& mask = numbers.mask;
    if (mask.data == nullptr || mask.is_boolean) return;
    std::int64_t const batches = n.rows / n.heads;
    std::int64_t const last = (batches - 1) * mask.batch + (n.heads - 1) * mask.head +
                              (n.queries - 1) * mask.query + (n.keys - 1) * mask.key;
    mask_ = copied(static_cast<T const*>(mask.data), last + 1);
    mask.data = mask_.template as<float>();
  }

  AttentionMemory<float> memory(float* log_sums) {
    return {q_.as<float>(), k_.as<float>(), v_.as<float>(), out_.as<float>(), log_sums};
  }
  void store_out(T* to) const {
    float const* const from = out_.as<float>();
    for_lanes(queries_, [&](std::int64_t j, int n) {
      op::Cast<T>::f(Lanes<float>::load(from + j, n)).store(to + j, n);
    });
  }

  CpuAttentionNumbers numbers;

 private:
  static SharedBuffer copied(T const* from, std::int64_t count) {
    SharedBuffer copy(static_cast<std::size_t>(count) * sizeof(float));
    float* const to = copy.as<float>();
    for_lanes(count, [&](std::int64_t j, int n) {
      op::Cast<float>::f(Lanes<T>::load(from + j, n)).store(to + j, n);
    });
    return copy;
  }

  std::int64_t queries_, keys_;
  SharedBuffer q_, k_, v_, out_, mask_;
};

template <HalfType T>
void attend_in_float(CpuAttentionNumbers const& numbers, AttentionMemory<T> const& memory) {
  if (numbers.rows * numbers.queries * numbers.width == 0) return;
  AttentionInFloat<T> in_float(numbers, memory);
  attend_blocks<float>(in_float.numbers, in_float.memory(memory.log_sums));
  in_float.store_out(memory.out);
}
template <HalfType T>
void backward_in_float(CpuAttentionNumbers const& numbers, AttentionMemory<T> const& memory,
                       AttentionAdjoints<T> const& adjoints) {
  if (numbers.rows * numbers.queries * numbers.width == 0) return;
  AttentionInFloat<T> in_float(numbers, memory);
  auto const place = [](auto const& of) -> AttentionAdjoints<float>::Place {
    return {of.to, of.is_new};
  };
  backward_blocks<float>(
      in_float.numbers, in_float.memory(memory.log_sums),
      {adjoints.of_result, place(adjoints.q), place(adjoints.k), place(adjoints.v)});
}

template <class T>
void CpuAttention<T>::attend(CpuAttentionNumbers const& numbers, AttentionMemory<T> const& memory) {
  if constexpr (HalfType<T>) attend_in_float(numbers, memory);
  else attend_blocks(numbers, memory);
}
template <class T>
void CpuAttention<T>::backward(CpuAttentionNumbers const& numbers, AttentionMemory<T> const& memory,
                               AttentionAdjoints<T> const& adjoints) {
  if constexpr (HalfType<T>) backward_in_float(numbers, memory, adjoints);
  else backward_blocks(numbers, memory, adjoints);
}

#if defined(TENON_IMPLEMENTATION)
template struct CpuAttention<float>;
template struct CpuAttention<double>;
template struct CpuAttention<float16>;
template struct CpuAttention<bfloat16>;
#endif

}  // namespace tenon::internal
