#pragma once

#include <array>
#include <utility>

#include <tenon/core/dispatch.hpp>
#include <tenon/distributed/sharding/abstract_evaluation.hpp>
#include <tenon/expr/kept_axes.hpp>
#include <tenon/expr/reduction/reduction.hpp>

/// Functions along axes that evaluate their operands: sharding propagation reads the axes that they
/// keep.
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

/// For each axis of the result of a function that of the operands that it keeps, or -1.
template <class Call, class... E>
constexpr auto kept_order(Types<E...>) -> decltype(Call::template order<E...>()) {
  return Call::template order<E...>();
}
/// A function that names the axes that it keeps of such operands.
template <class Call, class... X>
concept KeepsAxes = requires { kept_order<Call>(OperandsAmong<X...>()); };

/// The abstract result of such a function, of which `R` is the result for tensors.
template <class R, PackedMap order, class... E>
constexpr auto regrouped(Types<E...>) {
  return std::type_identity<Regrouped<typename R::value_type, spec_of<R>, order, E...>>{};
}
template <class R, class Call, class Operands>
constexpr auto regrouped_type() {
  if constexpr (IllFormed<R>) return std::type_identity<R>{};
  else return regrouped<R, packed(kept_order<Call>(Operands()))>(Operands());
}

/// A tensor in place of an operand; numbers are unchanged.
template <class X>
struct ValueOf : std::type_identity<X> {};
template <Expression X>
struct ValueOf<X> : std::type_identity<TensorOf<X>> {};

/// A function of tensors that evaluates them, applied to local shards; on abstract global operands
/// it gives the axes of the result.
template <class Call>
struct Regrouping {
  template <class... X>
    requires(is_abstract<X> || ...)
  auto operator()(X const&...) const ->
      typename decltype(regrouped_type<
                        decltype(Call()(std::declval<typename ValueOf<X>::type>()...)), Call,
                        OperandsAmong<X...>>())::type;

  template <class... X>
    requires(!(is_abstract<Unqualified<X>> || ...))
  auto operator()(X&&... x) const {
    return Call()(std::forward<X>(x)...);
  }
};

/// The global sizes along kept axes, equal for all operands. Throws `ShapeError`.
template <class X, class... Rest>
Sizes kept_sizes(std::string_view who, AxisMap const& order, X const& x, Rest const&... rest) {
  Sizes const sizes = x.sizes();
  [[maybe_unused]] auto const check = [&]<class Other>(Other const& other) {
    if constexpr (AnyShard<Other>)
      for (int i = 0; i < X::sharding.shape.rank; ++i)
        if (position_of(order, i) >= 0 && at(other.sizes(), i) != at(sizes, i))
          sizes_differ(who, X::sharding.shape, i, at(sizes, i), at(other.sizes(), i));
  };
  (check(rest), ...);
  return sizes;
}

template <class Call, class... X>
constexpr AxisMap kept_order_of_shards(Types<X...>) {
  return Call::template order<ShardingOf<X::spec>...>();
}

/// The function, computed by every rank on its local shards. Throws `ShapeError` on all ranks.
template <class R, class Call, class... X>
R over_shards(Regrouping<Call> const& f, X&&... x) {
  constexpr AxisMap order = kept_order_of_shards<Call>(OperandsAmong<X...>());
  Placement const place = common_place(x...);
  Sizes const kept = kept_sizes(Call::name, order, x...);
  auto local = f(local_operand<Unqualified<X>...>(std::forward<X>(x))...);
  Sizes sizes = local.sizes();
  for (int i = 0; i < R::sharding.shape.rank; ++i)
    if (int const from = order[static_cast<std::size_t>(i)]; from >= 0)
      at(sizes, i) = at(kept, from);
  return {std::move(local), place.with_sizes(sizes)};
}

}  // namespace tenon::internal

/// Every function of sharded tensors: what the function returns for operands without elements, and
/// sharding propagation through that, give the type of its result; each rank computes it from its
/// local shards. A function that is applied to nothing but whole tensors is refused: use
/// `on_shards` if the required axes are not sharded, or `unshard`.
namespace tenon::internal {

template <class E, Spec S>
inline constexpr bool is_dispatched<Shard<E, S>> = true;
template <class E, Spec S, Spec Over, class By>
inline constexpr bool is_dispatched<PartialShard<E, S, Over, By>> = true;

/// The function that is applied to shards.
template <class Call, class... X>
struct FunctionOfShards : std::type_identity<Call> {};
template <class Call, class... X>
  requires KeepsAxes<Call, X...>
struct FunctionOfShards<Call, X...> : std::type_identity<Regrouping<Call>> {};

/// Whether a call is applied to such arguments.
template <class Call, class... X>
concept AppliesTo = requires {
  typename AbstractResult<typename FunctionOfShards<Call, X...>::type, Unqualified<X>...>;
};

/// The name of a function in the error that refuses it: "logsumexp", or "logsumexp with keep".
template <class Call, class... X>
struct RefusedName {
  static constexpr FixedText text = FixedText(Call::name);
};
template <class Call, class X, class K>
  requires std::same_as<Unqualified<K>, Keep> && AppliesTo<Call, X>
struct RefusedName<Call, X, K> {
  static constexpr FixedText text = FixedText(Call::name).append(" with keep");
};

template <class First, class... Rest>
constexpr auto first_shard_spec() {
  if constexpr (AnyShard<First>) return Unqualified<First>::spec;
  else return first_shard_spec<Rest...>();
}

/// The error type for the first operand that is a plain tensor.
template <class Call, class First, class... Rest>
constexpr auto on_no_mesh() {
  if constexpr (Expression<First>)
    return std::type_identity<
        error::tensor_is_on_no_mesh<spec_of_name<Call>, spec_of<Unqualified<First>>>>{};
  else return on_no_mesh<Call, Rest...>();
}

template <class Call, class... X>
  requires(AnyShard<X> || ...) && (Expression<X> || ...)
using OnNoMesh = typename decltype(on_no_mesh<Call, X...>())::type;

/// The result type, or an error type.
template <class Call, class... X>
constexpr auto dispatched_to_shards() {
  if constexpr (!AppliesTo<Call, X...>)
    return std::type_identity<error::is_not_known_over_shards<spec_of_text<RefusedName<Call, X...>>,
                                                              first_shard_spec<X...>()>>{};
  else if constexpr ((Expression<X> || ...)) return on_no_mesh<Call, X...>();
  else return over_shards_type<Call, typename FunctionOfShards<Call, X...>::type, X...>();
}

template <class Call, class... X>
struct Dispatch {
  using type = typename decltype(dispatched_to_shards<Call, X...>())::type;

  static type of(X... x) {
    return over_shards<type>(typename FunctionOfShards<Call, X...>::type(), std::forward<X>(x)...);
  }
};

}  // namespace tenon::internal
