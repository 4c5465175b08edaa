#pragma once

#include <tenon/eval/held/pull.hpp>

namespace tenon {

/// The backward of a reduction of an inline expression.
template <class M, class F>
struct HeldFoldPull {
  using Op = typename F::op;
  using T = typename F::value_type;
  using V = typename M::template vector<T>;
  using Walk = FoldWalk<F>;
  using Runs = typename Walk::Runs;
  using Frame = HeldFrame<M, Runs, typename F::operand_type>;
  static constexpr std::int64_t kept = Walk::elements(Walk::kept);

  Formula<Frame> formula;

  /// Adjacent elements of the result, each over its own column.
  TENON_INLINE void columns(std::int64_t first, std::int64_t j, int n, V y, V adjoint) {
    constexpr std::int64_t depth = Walk::elements(Walk::folds);
    auto const share = Op::share(adjoint, y, [&]<class Fold, class Of>(Fold, Of const& of) {
      V total = V(Fold::template identity<T>);
      for (std::int64_t i = first; i < first + depth; ++i) {
        go_to_run<Runs>(formula, i);
        total = Fold::f(total, of(trace(j, n).value()));
      }
      return total;
    });
    for (std::int64_t i = first; i < first + depth; ++i) {
      go_to_run<Runs>(formula, i);
      auto const x = trace(j, n);
      Adjoints<Frame>(Writers<Frame>(formula), x, Op::pull(share, x.value(), y), j, n);
    }
  }

  /// One element of the result, over `runs` consecutive runs.
  template <std::int64_t runs>
  TENON_INLINE void row(std::int64_t first, V y, V adjoint) {
    auto const share = Op::share(adjoint, y, [&]<class Fold, class Of>(Fold, Of const& of) {
      return V(this->template folded<Fold, runs>(first, of));
    });
    for (std::int64_t i = first; i < first + runs; ++i) {
      go_to_run<Runs>(formula, i);
      for_held_lanes<M, Runs::run>([&](std::int64_t j, int n) {
        auto const x = trace(j, n);
        Adjoints<Frame>(Writers<Frame>(formula), x, Op::pull(share, x.value(), y), j, n);
      });
    }
  }

  TENON_INLINE void pull_rows(T const* y, T const* adjoint) {
    constexpr std::int64_t runs = kept == 0 ? 0 : Runs::runs / kept;
    for (std::int64_t i = 0; i < kept; ++i) row<runs>(i * runs, V(y[i]), V(adjoint[i]));
  }
  TENON_INLINE void pull_columns(T const* y, T const* adjoint) {
    constexpr std::int64_t width = Walk::elements(Walk::lanes);
    for (std::int64_t i = 0; i < kept; ++i, y += width, adjoint += width) {
      for_held_lanes<M, width>([&](std::int64_t j, int n) {
        columns(i * Walk::elements(Walk::folds), j, n, lanes(y + j, n), lanes(adjoint + j, n));
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
  template <class Fold, std::int64_t runs, class Of>
  TENON_INLINE T folded(std::int64_t first, Of const& of) {
    constexpr T none = Fold::template identity<T>;
    V total = V(none);
    for (std::int64_t i = first; i < first + runs; ++i) {
      go_to_run<Runs>(formula, i);
      for_held_lanes<M, Runs::run>([&](std::int64_t j, int n) {
        V const x = of(trace(j, n).value());
        total = Fold::f(total, n == M::count ? x : M::first(x, n, none));
      });
    }
    return M::template fold<Fold>(total, M::count, none);
  }
};

/// Adds the adjoint of the reduction of an inline expression to those of its tensors.
template <class M, class F>
TENON_INLINE inline void pull_held_fold(F const& fold, typename F::value_type const* adjoint,
                                        Tape& tape) {
  using Pull = HeldFoldPull<M, F>;
  using Runs = typename Pull::Runs;
  if constexpr (op::SmoothFold<typename F::op>) {
    std::array<typename F::value_type,
               static_cast<std::size_t>(count(static_sizes(F::shape), F::shape.rank))>
        y;
    fill_held_fold<M>(fold, y.data());
    Pull pull{held_formula<M, Runs>(operand_at<0>(fold), tape)};
    if constexpr (FoldWalk<F>::is_column) pull.pull_columns(y.data(), adjoint);
    else pull.pull_rows(y.data(), adjoint);
  }
}

}  // namespace tenon
