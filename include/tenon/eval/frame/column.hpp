#pragma once

#include <algorithm>
#include <array>

#include <tenon/eval/frame/reduction_block.hpp>
#include <tenon/eval/frame/row.hpp>

namespace tenon::internal {

/// A reduction over axes other than the last: every lane of the row reduces one column. The strides
/// along the reduced axes are the accesses' `depth`.
template <class M, class Op, class F>
struct ColumnFrame : ReducedFormula<F> {
  using value_type = typename F::value_type;
  using T = value_type;
  using V = typename F::V;

  using ReducedFormula<F>::frame;
  OwnAccesses walking;  ///< Accesses that walk down the columns.
  Sizes sizes;          ///< Of the reduced axes.
  int rank;

  std::int64_t length() const { return rank == 1 ? at(sizes, 0) : count(sizes, rank); }

  bool same(ColumnFrame const& other) const {
    return sizes == other.sizes && frame.same(other.frame);
  }

  using Operand = BlockOperand<Op, F>;
  using Added = typename Operand::type;

  /// The number of registers reduced at a time: together they read whole cache lines.
  static constexpr int together = sizeof(typename Added::value_type) > 4 ? 4 : 8;

  struct Reader {
    ColumnFrame const& frame;
    TENON_INLINE explicit Reader(ColumnFrame const& from) : frame(from) {}
    V operator()(std::int64_t j, int n) const { return frame.template long_columns<1>(j, n)[0]; }
  };
  /// Calls `store(k, value)` for all lanes from j + k on, for the first `together` such k.
  template <class Store>
  TENON_INLINE void trace_together(std::int64_t j, Store const& store) const {
    auto const values = columns<together>(j, M::count);
    for (int k = 0; k < together; ++k) store(k * M::count, values[static_cast<std::size_t>(k)]);
  }

  void backward(V const& y, V adjoint, std::int64_t j, int n) {
    if constexpr (op::SmoothReduction<Op> && AdjointSum<T>) {
      auto const share =
          Op::share(adjoint, y, [&]<class Reduction, class Of>(Reduction, Of const& of) {
            return this->template reduced<Reduction>(of, j, n);
          });
      descend([&] {
        Trace<F> const x(Readers<F>(frame), j, n);
        Adjoints<F>(Writers<F>(frame), x, Op::backward(share, x.value(), y), j, n);
      });
    }
  }

 private:
  static constexpr std::int64_t block_length = PairwiseReduction<M, Op, T>::block_length;
  static_assert(block_length <= Operand::most_values);
  template <std::size_t number>
  using Values = std::array<V, number>;
  /// The sums of one block.
  template <std::size_t number>
  using Sums = std::array<typename Added::V, number>;

  template <std::size_t number>
  TENON_INLINE static Values<number> whole(Sums<number> const& sums) {
    if constexpr (std::is_same_v<Added, F>) return sums;
    else {
      Values<number> values;
      for (std::size_t k = 0; k < number; ++k) values[k] = Operand::whole(sums[k]);
      return values;
    }
  }

  /// The values of adjacent columns. (Not a lambda, for the reason given at `Neighbours`.)
  struct Columns {
    Readers<Added> const& from;
    std::int64_t j;
    int n;
    TENON_INLINE auto operator()(int k) const {
      return Trace<Added>(from, j + std::int64_t{k} * M::count, n).value();
    }
  };
  template <std::size_t number>
  using Chains = ReductionChains<M, Op, typename Added::V, int{number}>;

  /// Adjacent columns, each reduced in the order of a single one. Most are short and reduce along
  /// one axis: their sums stay in registers throughout.
  template <std::size_t number>
  TENON_INLINE Values<number> columns(std::int64_t j, int n) const {
    if (rank == 1 && at(sizes, 0) <= block_length) {
      Sums<number> sums;
      if (reduction_run<number>(readers_at({}), Chains<number>(), sums, j, n, at(sizes, 0)))
        return whole(sums);
    }
    return long_columns<number>(j, n);
  }

  /// Columns of any length: reduced in blocks, the blocks pairwise.
  template <std::size_t number>
  [[gnu::noinline]] Values<number> long_columns(std::int64_t j, int n) const {
    std::int64_t const all = length();
    if (all <= block_length) return whole(block<number>(j, n, 0, all));
    std::array<PairwiseReduction<M, Op, T>, number> totals;
    for (std::int64_t i = 0; i < all; i += block_length) {
      auto const sums = block<number>(j, n, i, (std::min)(i + block_length, all));
      for (std::size_t k = 0; k < number; ++k) totals[k].push(Operand::whole(sums[k]));
    }
    Values<number> results;
    for (std::size_t k = 0; k < number; ++k) results[k] = totals[k].result();
    return results;
  }

  /// The positions from i to `end` along the reduced axes, run by run along the last of them.
  template <std::size_t number>
  [[gnu::noinline]] Sums<number> block(std::int64_t j, int n, std::int64_t i,
                                       std::int64_t end) const {
    Sums<number> sums = none<number>();
    for (std::int64_t const inner = at(sizes, rank - 1); i < end;) {
      std::int64_t const last = (std::min)(end, i + inner - i % inner);
      Readers<Added> const from = readers_at(unravel(i, sizes, rank));
      if (!reduction_run<number>(from, Chains<number>(sums.data()), sums, j, n, last - i))
        reduction_by_op<number>(from, sums, j, n, last - i);
      i = last;
    }
    return sums;
  }

  template <std::size_t number>
  static Sums<number> none() {
    Sums<number> sums;
    sums.fill(typename Added::V(Op::template identity<typename Added::value_type>));
    return sums;
  }

  /// The readers at a position along the reduced axes.
  TENON_INLINE Readers<Added> readers_at(ElementIndex const& depth) const {
    Readers<Added> own(frame);
    own.advance(frame, [&](MemoryAccess const& access) {
      return rank == 1 ? at(access.depth, 0) * at(depth, 0) : below(access.depth, depth);
    });
    return own;
  }
  /// Advances by one element along the last of the reduced axes.
  TENON_INLINE void go_on(Readers<Added>& own) const {
    own.advance(frame, [&](MemoryAccess const& access) { return at(access.depth, rank - 1); });
  }
  /// (A separate function: inline it would be most of the code of a reduction over one axis.)
  [[gnu::noinline]] std::int64_t below(Sizes const& strides, ElementIndex const& depth) const {
    return offset(strides, depth, rank);
  }

  /// Continues the reduction over one run: adjacent columns, position by position along the last
  /// reduced axis. Max and min also check pairs of neighbours for NaN: if there is one, nothing is
  /// stored and the caller reduces again with the op itself; this is rare. (The loop works on
  /// copies, so that they stay in registers.)
  template <std::size_t number>
  TENON_INLINE bool reduction_run(Readers<Added> own, Chains<number> chains, Sums<number>& sums,
                                  std::int64_t j, int n, std::int64_t length) const {
    for (; length > 0; --length, go_on(own)) chains.template step<int{number}>(Columns{own, j, n});
    if constexpr (ReductionsNumbers<M, Op, V>)
      if (!chains.seen().all()) return false;
    chains.put(sums.data());
    return true;
  }
  template <std::size_t number>
  void reduction_by_op(Readers<Added> own, Sums<number>& sums, std::int64_t j, int n,
                       std::int64_t length) const {
    for (; length > 0; --length, go_on(own)) {
      for (std::size_t k = 0; k < number; ++k)
        sums[k] = Op::f(sums[k], Columns{own, j, n}(static_cast<int>(k)));
    }
  }

  /// Calls `body` with the accesses at every position along the reduced axes, then restores them.
  template <class Body>
  void descend(Body const& body) const {
    ElementIndex depth{};
    if (length() == 0) return;
    std::int64_t sign = 1;
    auto const shift = [&](MemoryAccess& access) {
      access.now += sign * offset(access.depth, depth, rank);
    };
    do {
      sign = 1;
      walking.get().each(shift);
      body();
      sign = -1;
      walking.get().each(shift);
    } while (next(depth, sizes, rank));
  }

  /// `of` of every element of a column, reduced.
  template <class Reduction, class Of>
  V reduced(Of const& of, std::int64_t j, int n) {
    V total = V(Reduction::template identity<T>);
    descend([&] { total = Reduction::f(total, of(Trace<F>(Readers<F>(frame), j, n).value())); });
    return total;
  }
};

template <class M, class Op, class F>
inline constexpr bool has_row_values<ColumnFrame<M, Op, F>> = has_row_values<F>;

}  // namespace tenon::internal
