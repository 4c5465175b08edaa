#pragma once

#include <tuple>
#include <utility>

#include <tenon/distributed/sharding/propagation.hpp>
#include <tenon/distributed/sharding/shard.hpp>
#include <tenon/distributed/sharding/shard_errors.hpp>

/// A function of tensors applied to sharded tensors: abstract evaluation on global operands gives
/// the shape and the sharding of the result; evaluation on the local shards gives the local result.
namespace tenon::internal {

/// The abstract global operand in place of a sharded one; numbers are passed unchanged.
template <int i, class X>
struct GlobalOperand {
  using type = X;
  static X const& of(X const& number) { return number; }
};
template <int i, AnyShard X>
struct GlobalOperand<i, X> {
  using type =
      AbstractOperand<i, typename X::value_type, spec_of<ShardingOf<X::spec>>, typename X::device>;
  static type of(X const& x) { return type(x.sizes()); }
};

template <class X>
constexpr PropagatedSharding divided_operand() {
  PropagatedSharding result;
  if constexpr (AnyShard<X>) result.over = X::sharding.over;
  if constexpr (PartialShardType<X>) {
    result.partial = FixedText(X::over.view());
    result.reduction = reduction_of(symbolic::op_record<typename X::reduction>);
  }
  return result;
}

/// Sharded tensors, optionally mixed with numbers.
template <class... X>
concept ShardOperands = (AnyShard<X> || ...) && ((AnyShard<X> || LiteralNumber<X>)&&...);

/// Those of `X...` that are tensors, sharded or not.
template <class Kept, class... X>
struct OperandsOfCall : std::type_identity<Kept> {};
template <class... Kept, class X, class... Rest>
struct OperandsOfCall<Types<Kept...>, X, Rest...>
    : OperandsOfCall<std::conditional_t<AnyShard<X> || Expression<X>,
                                        Types<Kept..., Unqualified<X>>, Types<Kept...>>,
                     Rest...> {};
template <class... X>
using OperandsAmong = typename OperandsOfCall<Types<>, X...>::type;

/// The mesh axes that divide any of the operands.
template <class... X>
constexpr FixedText dividing_all() {
  FixedText all;
  auto const add = [&](PropagatedSharding const& operand) {
    for (FixedText const& over : operand.over)
      for_each_mesh_axis(over.view(), [&](auto name) { all = with_mesh_axis(all, name); });
  };
  (add(divided_operand<X>()), ...);
  return all;
}

/// The mesh axes that divide other operands and over which `X` is replicated.
template <class X, class... All>
constexpr FixedText replicated_over() {
  FixedText result;
  if constexpr (ShardType<X>) {
    FixedText const own = divided_over(X::sharding);
    for_each_mesh_axis(dividing_all<All...>().view(), [&](std::string_view name) {
      if (!lists(own.view(), name)) result = with_mesh_axis(result, name);
    });
  }
  return result;
}

template <class X, class... All>
struct ReplicatedOver {
  static constexpr FixedText text = replicated_over<X, All...>();
};

/// The local shard of an operand. If it is replicated over mesh axes that divide other operands,
/// each rank computes only part of its gradient: the adjoint is summed over these ranks. (`copy_to`
/// is defined where MPI is included.) A `GatheredLate` operand does both itself.
template <class... All, class X>
decltype(auto) local_operand(X&& x) {
  using Operand = Unqualified<X>;
  using Over = ReplicatedOver<Operand, All...>;
  if constexpr (!AnyShard<X>) return std::forward<X>(x);
  else if constexpr (requires { x.unchecked_local.template used<Over>(); })
    return x.unchecked_local.template used<Over>();
  else if constexpr (Over::text.empty() || !InexactType<typename Operand::value_type>)
    return (std::forward<X>(x).unchecked_local);
  else
    return copy_to(std::forward<X>(x).unchecked_local,
                   x.place.topology()->group(as_words(Over::text.view()).view()));
}

template <class F, class... X, std::size_t... i>
auto abstract_result(std::index_sequence<i...>) -> decltype(std::declval<F const&>()(
    std::declval<typename GlobalOperand<static_cast<int>(i), X>::type const&>()...));

/// The result of `f` on abstract global operands: an expression, or an error type.
template <class F, class... X>
using AbstractResult = decltype(abstract_result<F, X...>(std::index_sequence_for<X...>()));

/// The sharding of the result of `F` on `X...`, with the error as texts.
template <class F, class... X>
struct ResultSharding {
  static constexpr PropagatedSharding propagated = [] {
    PropagatedSharding const operands[]{divided_operand<X>()...};
    return PropagateSharding<Unqualified<AbstractResult<F, X...>>>::of(operands);
  }();
  static constexpr ShapeText text =
      format(Sharding{AbstractResult<F, X...>::shape, propagated.over});
  static constexpr auto spec = spec_from<text.length>(text.view());
  static constexpr auto over = spec_from<propagated.partial.length>(propagated.partial.view());
  static constexpr auto first = spec_from<propagated.first.length>(propagated.first.view());
  static constexpr auto second = spec_from<propagated.second.length>(propagated.second.view());
};

/// The error type for operands that cannot be computed shard by shard.
template <class Name, class At, class... X>
constexpr auto division_mistake(Types<X...>) {
  constexpr auto name = spec_of_name<Name>;
  constexpr DivisionMistake mistake = At::propagated.mistake;
  if constexpr (mistake == DivisionMistake::axes_differ)
    return std::type_identity<error::shardings_differ<name, At::first, At::second, X::spec...>>{};
  else if constexpr (mistake == DivisionMistake::is_partial && (PartialShardType<X> || ...))
    return std::type_identity<error::value_is_partial_over<name, At::first, X::spec...>>{};
  else if constexpr (mistake == DivisionMistake::axis_is_divided ||
                     mistake == DivisionMistake::is_partial)  // within: of a reduction over an axis
    return std::type_identity<error::axis_is_divided_reshard_first<name, At::first, X::spec...>>{};
  else if constexpr (mistake == DivisionMistake::divides_twice)
    return std::type_identity<error::mesh_axis_divides_twice<name, At::first, X::spec...>>{};
  else return std::type_identity<error::is_not_known_over_shards<name, X::spec...>>{};
}

template <class F, class... X>
using LocalResult = Unqualified<decltype(std::declval<F const&>()(
    local_operand<Unqualified<X>...>(std::declval<X>())...))>;

template <class Name, class F, class... X>
constexpr auto over_shards_type() {
  using R = AbstractResult<F, Unqualified<X>...>;
  if constexpr (IllFormed<Unqualified<R>>) return std::type_identity<R>{};
  else {
    using At = ResultSharding<F, Unqualified<X>...>;
    if constexpr (!At::propagated.fits()) return division_mistake<Name, At>(OperandsAmong<X...>());
    else if constexpr (At::propagated.partial.empty())
      return std::type_identity<Shard<LocalResult<F, X...>, At::spec>>{};
    else
      return std::type_identity<
          PartialShard<LocalResult<F, X...>, At::spec, At::over,
                       typename ReductionFold<At::propagated.reduction>::type>>{};
  }
}

/// The result type of a function of sharded operands: a `Shard`, a `PartialShard`, or an undefined
/// type that names the error.
template <class Name, class F, class... X>
  requires ShardOperands<X...>
using ShardedResult = typename decltype(over_shards_type<Name, F, X...>())::type;

template <class F, std::size_t... i, class... X>
Sizes whole_sizes(F const& f, std::index_sequence<i...>, X const&... x) {
  return f(GlobalOperand<static_cast<int>(i), X>::of(x)...).sizes();
}

/// The placement of the operands. Throws `Error` if they are on different meshes.
template <class... X>
Placement const& common_place(X const&... x) {
  Placement const* common = nullptr;
  auto const look = [&]<class Operand>(Operand const& operand) {
    if constexpr (AnyShard<Operand>) {
      if (common != nullptr && !(*common->topology() == *operand.place.topology()))
        throw Error("tenon::Sharded: the operands lie on two meshes");
      common = &operand.place;
    }
  };
  (look(x), ...);
  return *common;
}

/// `f(x...)`, computed by every rank on its local shards. `f` consists of functions of this
/// library; the compiler checks its result on abstract global operands.
template <class R, class F, class... X>
R over_shards(F const& f, X&&... x) {
  Placement const place = common_place(x...);
  Sizes const sizes = whole_sizes(f, std::index_sequence_for<X...>(), x...);
  return {f(local_operand<Unqualified<X>...>(std::forward<X>(x))...), place.with_sizes(sizes)};
}

}  // namespace tenon::internal
