#pragma once

#include <algorithm>

#include <tenon/eval/graph/graph.hpp>
#include <tenon/op/list.hpp>

namespace tenon::internal::graph {

template <class Op, class... T>
using ResultOf = std::remove_cvref_t<decltype(Op::f(std::declval<T>()...))>;

template <class Op, class... T>
concept HasDerivative = std::floating_point<ResultOf<Op, T...>> &&
                        requires(Number<T>... x, Number<ResultOf<Op, T...>> y) { Op::d(x..., y); };

/// The contribution of an adjoint to one operand of dtype `X`.
template <class X, class Derivative, class R>
void add_share(Derivative const& derivative, Number<R> adjoint, Id operand, Adjoints& adjoints) {
  if constexpr (std::floating_point<X> && !std::same_as<Derivative, op::Zero>) {
    if (adjoints.wants(operand))
      adjoints.add(operand, convert<X>(op::backward_of(derivative, adjoint)).id);
  }
}

/// The graph's operations for an op on elements of dtypes `T`, the operands numbered k.
template <class Op, class Numbers, class... T>
struct OpOn;
template <class Op, std::size_t... k, class... T>
struct OpOn<Op, std::index_sequence<k...>, T...> {
  using R = ResultOf<Op, T...>;

  [[gnu::cold]] static void run(std::byte* to, MapOp::Operands const& from, std::int64_t count) {
    R* const result = reinterpret_cast<R*>(to);
    for (std::int64_t i = 0; i < count; ++i)
      result[i] = Op::f(reinterpret_cast<T const*>(from[k])[i]...);
  }
  [[gnu::cold]] static void backward(Id self, std::span<Id const> x, Id adjoint,
                                     Adjoints& adjoints) {
    Number<R> const share(adjoint);
    auto const derivatives = Op::d(Number<T>(x[k])..., Number<R>(self));
    (add_share<T>(op::partial_of<k>(derivatives), share, x[k], adjoints), ...);
  }

  static constexpr MapOp op() {
    if constexpr (HasDerivative<Op, T...>) return {element_of<R>, &run, &backward};
    else return {element_of<R>, &run, nullptr};
  }
};

template <class Op, class... T>
inline constexpr MapOp map_op = OpOn<Op, std::index_sequence_for<T...>, T...>::op();

/// `Op::f` of every element; single numbers broadcast.
template <class Op, class... T>
Number<ResultOf<Op, T...>> map(Number<T>... x) {
  std::array<Id, sizeof...(T)> operands{x.id...};
  return Number<ResultOf<Op, T...>>(Graph::current->map(map_op<Op, T...>, operands));
}

}  // namespace tenon::internal::graph
