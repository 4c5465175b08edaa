#pragma once

#include <algorithm>

#include <tenon/eval/graph/graph.hpp>
#include <tenon/op/list.hpp>

namespace tenon::graph {

template <class Op, class... T>
using ResultOf = std::remove_cvref_t<decltype(Op::f(std::declval<T>()...))>;

template <class Op, class... T>
concept HasDerivative = std::floating_point<ResultOf<Op, T...>> &&
                        requires(Number<T>... x, Number<ResultOf<Op, T...>> y) { Op::d(x..., y); };

/// The share of an adjoint for one operand of dtype `X`.
template <class X, class Slope, class R>
void add_share(Slope const& slope, Number<R> adjoint, Id operand, Adjoints& adjoints) {
  if constexpr (std::floating_point<X> && !std::same_as<Slope, op::Zero>) {
    if (adjoints.wants(operand)) adjoints.add(operand, convert<X>(op::pulled(slope, adjoint)).id);
  }
}

template <class Op, class... T>
struct OpOn {
  using R = ResultOf<Op, T...>;
  static constexpr auto indices = std::index_sequence_for<T...>();

  [[gnu::cold]] static void run(std::byte* to, MapOp::Operands const& from, std::int64_t count) {
    run(indices, reinterpret_cast<R*>(to), from, count);
  }
  [[gnu::cold]] static void pull(Id self, std::span<Id const> x, Id adjoint, Adjoints& adjoints) {
    pull(indices, Number<R>(self), x, Number<R>(adjoint), adjoints);
  }

  static constexpr MapOp op() {
    if constexpr (HasDerivative<Op, T...>) return {element_of<R>, &run, &pull};
    else return {element_of<R>, &run, nullptr};
  }

 private:
  template <std::size_t... k>
  static void run(std::index_sequence<k...>, R* to, MapOp::Operands const& from,
                  std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
      to[i] = Op::f(reinterpret_cast<T const*>(from[k])[i]...);
  }

  template <std::size_t... k>
  static void pull(std::index_sequence<k...>, Number<R> y, std::span<Id const> x, Number<R> adjoint,
                   Adjoints& adjoints) {
    auto const slopes = Op::d(Number<T>(x[k])..., y);
    (add<k, T>(slopes, adjoint, x[k], adjoints), ...);
  }

  template <std::size_t k, class X, class Slopes>
  static void add(Slopes const& slopes, Number<R> adjoint, Id x, Adjoints& adjoints) {
    if constexpr (k == 0) add_share<X>(slopes.p0, adjoint, x, adjoints);
    else if constexpr (k == 1) add_share<X>(slopes.p1, adjoint, x, adjoints);
    else add_share<X>(slopes.p2, adjoint, x, adjoints);
  }
};

template <class Op, class... T>
inline constexpr MapOp map_op = OpOn<Op, T...>::op();

/// `Op::f` of every element; single numbers are for all.
template <class Op, class... T>
Number<ResultOf<Op, T...>> map(Number<T>... x) {
  std::array<Id, sizeof...(T)> operands{x.id...};
  return Number<ResultOf<Op, T...>>(Graph::current->map(map_op<Op, T...>, operands));
}

}  // namespace tenon::graph
