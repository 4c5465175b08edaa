#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include <tenon/eval/frame/loop.hpp>
#include <tenon/eval/frame/reduction_block.hpp>

namespace tenon::internal {

/// A reduction of `number` elements into each of a row: every lane reduces its own, in the order in
/// which the lanes of one register are reduced. The offsets of the elements are the accesses'
/// `depth`.
template <class M, class Op, class F, int number>
struct ShortFrame : ReducedFormula<F> {
  using value_type = typename F::value_type;
  using T = value_type;
  using V = typename F::V;
  using ReducedFormula<F>::frame;

  bool same(ShortFrame const& other) const { return frame.same(other.frame); }

  struct Reader {
    ShortFrame const& of;
    Readers<F> from;

    TENON_INLINE explicit Reader(ShortFrame const& reduction)
        : of(reduction), from(reduction.frame) {}
    TENON_INLINE V operator()(std::int64_t j, int n) const {
      using intrinsics::select;
      V const y = of.template reduced<Op>(from, j, n, [](V const& x) { return x; });
      if constexpr (ReductionsNumbers<M, Op, V>)  // one NaN, as in the reduction of a row
        return select(y == y, y, V(intrinsics::Layout<T>::nan));
      else return y;
    }
    template <class Distance>
    TENON_INLINE void advance(ShortFrame const& reduction, Distance const& distance) {
      from.advance(reduction.frame, distance);
    }
  };

  struct Writer {
    ShortFrame& of;
    Readers<F> from;
    Writers<F> to;

    TENON_INLINE explicit Writer(ShortFrame& reduction)
        : of(reduction), from(reduction.frame), to(reduction.frame) {}
    TENON_INLINE void operator()(V const& y, AdjointValue<V> const& adjoint, std::int64_t j,
                                 int n) const {
      if constexpr (op::SmoothReduction<Op> && AdjointSum<T>) {
        auto const share =
            Op::share(adjoint, y, [&]<class Reduction, class Of>(Reduction, Of const& each) {
              return of.template reduced<Reduction>(from, j, n, each);
            });
        for (int i = 0; i < number; ++i) {
          Trace<F> const x(of.at_position(from, i), j, n);
          Adjoints<F>(of.at_position(to, i), x, Op::backward(share, x.value(), y), j, n);
        }
      }
    }
  };

 private:
  /// Readers or writers at an element.
  template <class Walker>
  TENON_INLINE Walker at_position(Walker walker, int position) const {
    walker.advance(frame, [=](MemoryAccess const& access) { return at(access.depth, position); });
    return walker;
  }

  /// `each` of all elements, reduced: element i with element i + half, repeatedly.
  template <class Reduction, class Of>
  TENON_INLINE V reduced(Readers<F> const& from, std::int64_t j, int n, Of const& each) const {
    V const none = V(Reduction::template identity<T>);
    std::array<V, std::size_t{number}> values;
    for (int i = 0; i < number; ++i)
      values[static_cast<std::size_t>(i)] =
          Reduction::f(none, each(Trace<F>(at_position(from, i), j, n).value()));
    int left = number;
    for (int half = int{std::bit_ceil(std::uint8_t{number})} / 2; half > 0; half /= 2) {
      for (int i = 0; i + half < left; ++i) {
        V& low = values[static_cast<std::size_t>(i)];
        low = Reduction::f(low, values[static_cast<std::size_t>(i + half)]);
      }
      left = half;
    }
    return values[0];
  }
};

template <class M, class Op, class F, int number>
inline constexpr bool has_row_values<ShortFrame<M, Op, F, number>> = has_row_values<F>;
template <class M, class Op, class F, int number>
inline constexpr int cost<ShortFrame<M, Op, F, number>> = number * (cost<F> + 1);

/// The length of the longest short reduction of a formula.
template <class F>
inline constexpr int longest_short = 1;
template <class M, class Op, class F, int number>
inline constexpr int longest_short<ShortFrame<M, Op, F, number>> = number;
template <class M, class Op, class... F>
inline constexpr int longest_short<MapFrame<M, Op, F...>> = (std::max)({longest_short<F>...});

}  // namespace tenon::internal
