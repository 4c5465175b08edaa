#pragma once

#include <utility>

#include <tenon/core/language/pattern.hpp>
#include <tenon/core/rules/join.hpp>
#include <tenon/expr/axes.hpp>
#include <tenon/expr/view/index_map.hpp>

/// Transposes and renames. Nothing is copied: an expression stays lazy.
namespace tenon::internal {

/// The number of axes that an operation needs.
template <int count>
struct AxesNeeded {
  static constexpr FixedText text = count == 1 ? "one axis is needed" : "two axes are needed";
};

template <Axes axes>
struct NamesOf {
  static constexpr FixedText text = axes.names;
};

/// Names the reason why `axes` are not `count` axes of `E`; `void` where they are.
template <class Name, Axes axes, int count, class E>
constexpr auto axes_mistake() {
  if constexpr (!Chosen<axes, E>::ok) return std::type_identity<ChoiceMistake<Name, axes, E>>{};
  else if constexpr (Chosen<axes, E>::value.count == count) return std::type_identity<void>{};
  else
    return std::type_identity<
        error::pattern_does_not_fit<spec_of_name<Name>, spec_of_text<AxesNeeded<count>>,
                                    spec_of_text<NamesOf<axes>>, spec_of<E>>>{};
}

struct TransposeName {
  static constexpr std::string_view name = "transpose";
  static constexpr std::string_view form = "transpose<\"row column\">(x)";
};

/// The order with the first and the last chosen axis exchanged.
constexpr AxisMap exchanged(int rank, AxisChoice const& chosen) {
  AxisMap order = same_order(rank);
  std::size_t last = 0;
  for (std::size_t i = 0; i < order.size(); ++i) last = chosen.has[i] ? i : last;
  std::swap(order[static_cast<std::size_t>(chosen.axis())], order[last]);
  return order;
}

/// The named axes, or the last two.
constexpr AxisChoice choose_two(Shape const& shape, Axes const& axes) {
  if (!axes.names.empty()) return choose(shape, axes);
  AxisChoice choice = choose_axis(shape, -2);
  choice.has[static_cast<std::size_t>(shape.rank - 1)] = true;
  return choice;
}

template <Axes axes, class E>
struct TransposeRule {
  static constexpr AxisMap order = exchanged(E::shape.rank, choose_two(E::shape, axes));
  static constexpr Shape shape = permuted(E::shape, order);
};

template <Axes axes, class E>
constexpr auto transpose_mistake() {
  constexpr bool last_two = axes.names.empty() && !axes.by_index;
  if constexpr (!last_two) return axes_mistake<TransposeName, axes, 2, E>();
  else if constexpr (E::shape.rank >= 2) return std::type_identity<void>{};
  else return axes_mistake<TransposeName, Axes(-2), 1, E>();
}

/// The error in a transposition of `X`, or `void`.
template <Axes axes, Expression X>
using TransposeMistake = typename decltype(transpose_mistake<axes, StoredOperand<X>>())::type;

/// `x` with two axes exchanged: the last two, or those of `transpose<"row column">(x)`. Lazy;
/// matmul reads it without a copy. PyTorch: `transpose`.
template <Axes axes = Axes{}, Expression X>
  requires std::is_void_v<TransposeMistake<axes, X&&>>
constexpr auto transpose(X&& x) {
  return index_map<TransposeRule<axes, StoredOperand<X&&>>>(std::forward<X>(x));
}
template <Axes axes = Axes{}, Expression X, class R = TransposeMistake<axes, X&&>>
  requires(!std::is_void_v<R>)
auto transpose(X&& x) -> R;
template <Axes axes>
struct TransposeCall : TransposeName {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(transpose<axes>(std::forward<X>(x)...)) {
    return transpose<axes>(std::forward<X>(x)...);
  }
};
template <Axes axes = Axes{}, class... X>
  requires Dispatches<TransposeCall<axes>, X&&...>
auto transpose(X&&... x) {
  return Dispatch<TransposeCall<axes>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axes = Axes{}, class... X, class R = Refused<TransposeCall<axes>, X...>>
auto transpose(X const&...) -> R;
template <class Name = TransposeName, class R = AxisForm<Name>>
auto transpose(AnyExpression, NumberOrText, NumberOrText = 0) -> R;

/// `E` with the axes of `Rule` at the same positions: a tensor shares its elements, an expression
/// becomes a view.
template <class Rule, class E>
struct RelabelledAs {
  using type = IndexMapType<Rule, E>;
};
template <class Rule, TensorType E>
struct RelabelledAs<Rule, E> {
  using type = Tensor<typename E::value_type, spec_of<Rule>, typename E::device>;
};
template <class Rule, class E>
using RelabelledBy = typename RelabelledAs<Rule, E>::type;

template <class Rule, class X>
constexpr auto relabel(X&& x) {
  using E = StoredOperand<X&&>;
  if constexpr (TensorType<E>) return relabelled<RelabelledBy<Rule, E>>(hold(std::forward<X>(x)));
  else return index_map<Rule>(std::forward<X>(x));
}

}  // namespace tenon::internal

namespace tenon {

using internal::transpose;

}  // namespace tenon
