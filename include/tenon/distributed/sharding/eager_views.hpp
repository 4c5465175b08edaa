#pragma once

#include <array>
#include <tuple>
#include <utility>

#include <tenon/distributed/sharding/abstract_evaluation.hpp>
#include <tenon/expr/view/row.hpp>

/// Sharded versions of functions that rearrange elements and evaluate eagerly: only their effect on
/// axes is needed for sharding propagation.
namespace tenon::internal {

/// The abstract result of such a function on global operands: a shape, and for each of its axes the
/// operand axis that it equals, entries included; -1 for any other.
template <class T, Spec S, PackedMap order, class... E>
struct Regrouped {
  using value_type = T;
  static constexpr Shape const& shape = ShapeOf<S>::shape;
};

/// Propagation through a rearrangement: a sharded axis is preserved, and sharded alike in all
/// operands.
template <std::size_t N>
constexpr PropagatedSharding propagate_rearrangement(
    AxisMap const& order, std::array<Shape const*, N> const& shapes,
    std::array<PropagatedSharding, N> const& operands) {
  std::array<JoinedAxis, max_rank> joined{};
  for (std::size_t k = 0; k < N; ++k) {
    PropagatedSharding const operand = refuse_partial("move", operands[k]);
    if (!operand.fits()) return operand;
    for (int i = 0; i < shapes[k]->rank; ++i) {
      int const to = position_of(order, i);
      if (to >= 0) joined[static_cast<std::size_t>(to)].add(*shapes[k], operand, i);
      else if (!operand.over[static_cast<std::size_t>(i)].empty())
        return propagation_error(DivisionMistake::axis_is_divided, "move",
                                 divided_axis(*shapes[k], operand, i));
    }
  }
  PropagatedSharding result;
  for (std::size_t i = 0; i < max_rank; ++i) {
    if (!joined[i].fits)
      return propagation_error(DivisionMistake::axes_differ, "move", joined[i].axis,
                               joined[i].other);
    result.over[i] = joined[i].over;
  }
  return result;
}

template <class T, Spec S, PackedMap order, class... E>
struct PropagateSharding<Regrouped<T, S, order, E...>> {
  static constexpr PropagatedSharding of(PropagatedSharding const* operands) {
    return propagate_rearrangement<sizeof...(E)>(unpacked(order), {&E::shape...},
                                                 {PropagateSharding<E>::of(operands)...});
  }
};

/// The first operand's choice of a named axis.
template <Axes axes, class... E>
constexpr AxisChoice first_choice() {
  AxisChoice const choices[]{choose(E::shape, axes)...};
  for (AxisChoice const& one : choices)
    if (one.result == AxisSearch::ok) return one;
  return choices[0];
}

/// The preserved axes: all but those along which the function works.
template <Axes axes>
struct AllBut {
  template <class E, class... Rest>
  static constexpr AxisMap order() {
    AxisMap order = same_order(E::shape.rank);
    AxisChoice const chosen = first_choice<axes, E, Rest...>();
    for (std::size_t i = 0; i < max_rank; ++i)
      if (chosen.has[i]) order[i] = -1;
    return order;
  }
};

/// All but one, which is removed from the result.
template <Axes axes>
struct Without {
  template <class E>
  static constexpr AxisMap order() {
    return order_without(E::shape.rank, choose(E::shape, axes).axis());
  }
};

/// All, after a new leading axis.
struct AfterNew {
  template <class E, class... Rest>
  static constexpr AxisMap order() {
    AxisMap order = no_axes();
    for (std::size_t i = 0; i < static_cast<std::size_t>(E::shape.rank) && i + 1 < max_rank; ++i)
      order[i + 1] = static_cast<std::int8_t>(i);
    return order;
  }
};

/// The result type for global operands; `R` is that for such tensors, or an error type.
template <class R, class Stays, class... E>
constexpr auto regrouped_type() {
  if constexpr (IllFormed<R>) return std::type_identity<R>{};
  else {
    constexpr PackedMap order = packed(Stays::template order<E...>());
    return std::type_identity<Regrouped<typename R::value_type, spec_of<R>, order, E...>>{};
  }
}

/// `Call`, a function of tensors followed by `Number`s, applied to local shards; on abstract global
/// operands it gives the axes of the result.
template <class Call, class Stays, class... Number>
struct Regrouping {
  std::tuple<Number...> numbers{};

  template <class... E>
    requires(is_abstract<E> && ...)
  auto operator()(E const&...) const ->
      typename decltype(regrouped_type<decltype(Call()(std::declval<TensorOf<E>>()...,
                                                       std::declval<Number>()...)),
                                       Stays, E...>())::type;

  template <Expression... X>
    requires(!is_abstract<Unqualified<X>> && ...)
  auto operator()(X&&... x) const {
    auto const call = [&](Number... number) { return Call()(std::forward<X>(x)..., number...); };
    return std::apply(call, numbers);
  }
};

/// The result for sharded tensors: a `Shard`, or an undefined type that names the error.
template <class Grouping, class... X>
struct RegroupedOf;
template <class Call, class Stays, class... Number, class... X>
struct RegroupedOf<Regrouping<Call, Stays, Number...>, X...>
    : std::type_identity<ShardedResult<Call, Regrouping<Call, Stays, Number...>, X...>> {};
template <class Grouping, AnyShard... X>
  requires(sizeof...(X) > 0)
using RegroupedShard = typename RegroupedOf<Grouping, X...>::type;

/// The global sizes along preserved axes, equal for all operands. Throws `ShapeError`.
template <class X, class... Rest>
Sizes staying_sizes(std::string_view who, AxisMap const& order, X const& x, Rest const&... rest) {
  Sizes const sizes = x.sizes();
  [[maybe_unused]] auto const check = [&](Sizes const& others) {
    for (int i = 0; i < X::sharding.shape.rank; ++i)
      if (position_of(order, i) >= 0 && at(others, i) != at(sizes, i))
        sizes_differ(who, X::sharding.shape, i, at(sizes, i), at(others, i));
  };
  (check(rest.sizes()), ...);
  return sizes;
}

/// The function, computed by every rank on its local shards. Throws `ShapeError` on all ranks.
template <class R, class Call, class Stays, class... Number, class... X>
R apply_to_shards(Regrouping<Call, Stays, Number...> const& f, X&&... x) {
  constexpr AxisMap order = Stays::template order<ShardingOf<Unqualified<X>::spec>...>();
  Placement const place = common_place(x...);
  Sizes const staying = staying_sizes(Call::name, order, x...);
  auto local = f(local_operand<Unqualified<X>...>(std::forward<X>(x))...);
  Sizes sizes = local.sizes();
  for (int i = 0; i < R::sharding.shape.rank; ++i)
    if (int const from = order[static_cast<std::size_t>(i)]; from >= 0)
      at(sizes, i) = at(staying, from);
  return {std::move(local), place.with_sizes(sizes)};
}

}  // namespace tenon::internal
