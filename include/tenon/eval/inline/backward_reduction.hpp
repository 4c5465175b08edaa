#pragma once

#include <tenon/eval/inline/backward.hpp>

namespace tenon::internal {

/// The backward of a reduction of an inline expression.
template <class M, class F>
struct InlineReductionBackward {
  using Op = typename F::op;
  using T = typename F::value_type;
  using V = typename M::template vector<T>;
  using Walk = ReductionWalk<F>;
  using Runs = typename Walk::Runs;
  using Frame = InlineFrame<M, Runs, typename F::operand_type>;
  static constexpr std::int64_t kept = Walk::elements(Walk::kept);

  Formula<Frame> formula;

  /// Adjacent elements of the result, each over its own column.
  TENON_INLINE void columns(std::int64_t first, std::int64_t j, int n, V y, V adjoint) {
    constexpr std::int64_t depth = Walk::elements(Walk::reductions);
    auto const share =
        Op::share(adjoint, y, [&]<class Reduction, class Of>(Reduction, Of const& of) {
          V total = V(Reduction::template identity<T>);
          for (std::int64_t i = first; i < first + depth; ++i) {
            go_to_run<Runs>(formula, i);
            total = Reduction::f(total, of(trace(j, n).value()));
          }
          return total;
        });
    for (std::int64_t i = first; i < first + depth; ++i) {
      go_to_run<Runs>(formula, i);
      auto const x = trace(j, n);
      Adjoints<Frame>(Writers<Frame>(formula), x, Op::backward(share, x.value(), y), j, n);
    }
  }

  /// One element of the result, over `runs` consecutive runs.
  template <std::int64_t runs>
  TENON_INLINE void row(std::int64_t first, V y, V adjoint) {
    auto const share =
        Op::share(adjoint, y, [&]<class Reduction, class Of>(Reduction, Of const& of) {
          return V(this->template reduced<Reduction, runs>(first, of));
        });
    for (std::int64_t i = first; i < first + runs; ++i) {
      go_to_run<Runs>(formula, i);
      for_inline_lanes<M, Runs::run>([&](std::int64_t j, int n) {
        auto const x = trace(j, n);
        Adjoints<Frame>(Writers<Frame>(formula), x, Op::backward(share, x.value(), y), j, n);
      });
    }
  }

  TENON_INLINE void backward_rows(T const* y, T const* adjoint) {
    constexpr std::int64_t runs = kept == 0 ? 0 : Runs::runs / kept;
    for (std::int64_t i = 0; i < kept; ++i) row<runs>(i * runs, V(y[i]), V(adjoint[i]));
  }
  TENON_INLINE void backward_columns(T const* y, T const* adjoint) {
    constexpr std::int64_t width = Walk::elements(Walk::lanes);
    for (std::int64_t i = 0; i < kept; ++i, y += width, adjoint += width) {
      for_inline_lanes<M, width>([&](std::int64_t j, int n) {
        columns(i * Walk::elements(Walk::reductions), j, n, lanes(y + j, n), lanes(adjoint + j, n));
      });
    }
  }

 private:
  TENON_INLINE Trace<Frame> trace(std::int64_t j, int n) const {
    return Trace<Frame>(Readers<Frame>(formula), j, n);
  }
  TENON_INLINE static V lanes(T const* from, int n) {
    return n == M::count ? M::load(from) : M::load(from, n);
  }

  /// `of` of every element of a row, reduced.
  template <class Reduction, std::int64_t runs, class Of>
  TENON_INLINE T reduced(std::int64_t first, Of const& of) {
    constexpr T none = Reduction::template identity<T>;
    V total = V(none);
    for (std::int64_t i = first; i < first + runs; ++i) {
      go_to_run<Runs>(formula, i);
      for_inline_lanes<M, Runs::run>([&](std::int64_t j, int n) {
        V const x = of(trace(j, n).value());
        total = Reduction::f(total, n == M::count ? x : M::first(x, n, none));
      });
    }
    return M::template reduction<Reduction>(total, M::count, none);
  }
};

/// Adds the adjoint of the reduction of an inline expression to those of its tensors.
template <class M, class F>
TENON_INLINE inline void backward_inline_reduction(F const& reduction,
                                                   typename F::value_type const* adjoint,
                                                   Tape& tape) {
  using Backward = InlineReductionBackward<M, F>;
  using Runs = typename Backward::Runs;
  if constexpr (op::SmoothReduction<typename F::op>) {
    std::array<typename F::value_type,
               static_cast<std::size_t>(count(static_sizes(F::shape), F::shape.rank))>
        y;
    fill_inline_reduction<M>(reduction, y.data());
    Backward backward{inline_formula<M, Runs>(operand_at<0>(reduction), tape)};
    if constexpr (ReductionWalk<F>::is_column) backward.backward_columns(y.data(), adjoint);
    else backward.backward_rows(y.data(), adjoint);
  }
}

}  // namespace tenon::internal
