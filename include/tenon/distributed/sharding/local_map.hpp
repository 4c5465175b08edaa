#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/core/rules/agree.hpp>
#include <tenon/distributed/sharding/abstract_evaluation.hpp>
#include <tenon/distributed/sharding/local_group.hpp>
#include <tenon/distributed/sharding/local_shard.hpp>

/// The sharding of the result of `local_map`, and its errors.
namespace tenon::compile_error {

/// The function has captures, whose gradients would be those of one rank: pass them as arguments of
/// a lambda without captures, tensors as sharded tensors.
template <Spec Operation>
struct function_captures_pass_arguments;

/// The operands differ between ranks along the first mesh axes, and the result is declared to
/// differ along the second: a result is sharded or partial over all mesh axes that divide operands.
template <Spec Operation, Spec OfOperands, Spec OfResult>
struct mesh_axes_of_result_differ;

/// An argument of this type may hold tensors, whose gradients would be those of one rank; sharded
/// tensors, numbers, strings, keys and meshes are allowed.
template <Spec Operation, class Argument>
struct argument_may_hold_tensors;

/// No argument is a sharded tensor: the mesh of the result is undetermined.
template <Spec Operation>
struct no_argument_is_sharded;

/// An axis of the result is sharded, and no operand has an axis of that name: the global size is
/// unknown.
template <Spec Operation, Spec Axis, Spec Sharding>
struct size_of_whole_is_not_known;

}  // namespace tenon::compile_error

namespace tenon::internal {

/// Whether two lists contain the same mesh axes, in any order.
constexpr bool same_mesh_axes(std::string_view a, std::string_view b) {
  bool same = true;
  for_each_mesh_axis(a, [&](std::string_view name) { same = same && lists(b, name); });
  for_each_mesh_axis(b, [&](std::string_view name) { same = same && lists(a, name); });
  return same;
}

/// The result of `local_map`: its sharding, and the mesh axes over which it is partial.
template <Spec S, Spec Over, class... X>
struct LocalMapRule {
  static constexpr Sharding const& sharding = parsed_sharding<S>.sharding;
  static constexpr FixedText of_operands = dividing_all<X...>();
  static constexpr FixedText of_result = [] {
    FixedText all = divided_over(sharding);
    for_each_mesh_axis(Over.view(), [&](auto name) { all = with_mesh_axis(all, name); });
    return all;
  }();
  static constexpr bool has_axes_of_operands = same_mesh_axes(of_operands.view(), of_result.view());

  /// The axis of an operand with the name of an axis of the result; -1 if there is none.
  template <class One>
  static constexpr int axis_in(int axis) {
    if constexpr (AnyShard<One>) {
      Shape const& shape = One::sharding.shape;
      for (int i = 0; i < shape.rank; ++i)
        if (sharding.shape[axis].is_named() && shape[i].name == sharding.shape[axis].name) return i;
    }
    return -1;
  }
  /// Whether the mesh axes divide each axis in the order of the operand.
  template <class One>
  static constexpr bool keeps_order() {
    if constexpr (AnyShard<One>)
      for (int i = 0; i < sharding.shape.rank; ++i)
        if (int const own = axis_in<One>(i); own >= 0 && !(One::sharding[own] == sharding[i]))
          if (same_mesh_axes(One::sharding[own].view(), sharding[i].view())) return false;
    return true;
  }
  static constexpr bool fits = has_axes_of_operands && (keeps_order<X>() && ...);

  /// The axis as declared by an operand.
  static constexpr Axis operand_axis(int axis) {
    Axis found = sharding.shape[axis];
    auto const look = [&]<class One>(std::type_identity<One>) {
      if constexpr (AnyShard<One>)
        if (int const own = axis_in<One>(axis); own >= 0) found = One::sharding.shape[own];
    };
    (look(std::type_identity<X>()), ...);
    return found;
  }
  /// The first axis of unknown global size; -1 if there is none.
  static constexpr int unknown = [] {
    for (int i = 0; i < sharding.shape.rank; ++i)
      if (!sharding[i].empty() && !sharding.shape[i].is_static() && ((axis_in<X>(i) < 0) && ...))
        return i;
    return -1;
  }();

  /// The global sizes, from those of the local result and of the operands.
  static Sizes whole_sizes(Sizes sizes, X const&... x) {
    for (int i = 0; i < sharding.shape.rank; ++i) {
      if (sharding[i].empty()) continue;
      (take_size(at(sizes, i), i, x), ...);
      if (sharding.shape[i].is_static()) at(sizes, i) = sharding.shape[i].size;
    }
    return sizes;
  }

 private:
  template <class One>
  static void take_size(std::int64_t& size, int axis, One const& x) {
    if constexpr (AnyShard<One>)
      if (int const own = axis_in<One>(axis); own >= 0) size = at(x.sizes(), own);
  }
};

}  // namespace tenon::internal

/// `local_map`: a function that each rank applies to its local shards. The types, without MPI; the
/// implementation is in local_map.hpp.
namespace tenon::internal {

template <class X>
concept MeshType = std::is_class_v<X> && std::is_base_of_v<Topology, X>;

/// Arguments that hold no tensor, or that are traversed.
template <class X>
concept LocalMapArgument =
    ShardType<X> || LiteralNumber<X> || std::is_enum_v<X> || MeshType<X> || std::same_as<X, Key> ||
    std::same_as<X, std::string> || std::same_as<X, std::string_view>;

/// The error type for operands that `local_map` does not accept; `void` if it does.
template <class First, class... Rest>
constexpr auto local_map_operand_mistake() {
  if constexpr (PartialShardType<First>)
    return std::type_identity<
        error::value_is_partial_over<"local_map", First::over, First::spec>>{};
  else if constexpr (Expression<First>)
    return std::type_identity<error::tensor_is_on_no_mesh<"local_map", spec_of<First>>>{};
  else if constexpr (!LocalMapArgument<First>)
    return std::type_identity<error::argument_may_hold_tensors<"local_map", First>>{};
  else if constexpr (sizeof...(Rest) > 0) return local_map_operand_mistake<Rest...>();
  else return std::type_identity<void>{};
}

/// The argument that the function receives: the local shard of a sharded tensor, a `LocalMesh` for
/// a mesh, and any other argument unchanged.
template <class... All, class X>
decltype(auto) local_map_operand(X const& x) {
  if constexpr (AnyShard<X>) return local_operand<All...>(x);
  else if constexpr (MeshType<X>) return local_mesh(x, dividing_all<All...>().view());
  else return (x);
}

/// Whether a function has no captures.
template <class F>
concept CapturesNothing = std::is_empty_v<F> || std::is_pointer_v<F>;

/// The error type for the sharding of the result; `void` if it is valid.
template <Spec S, class Rule>
constexpr auto local_map_sharding_mistake() {
  if constexpr (!Rule::fits) {
    constexpr FixedText operands = as_words(Rule::of_operands.view());
    constexpr FixedText result = as_words(Rule::of_result.view());
    return std::type_identity<
        error::mesh_axes_of_result_differ<"local_map", spec_from<operands.length>(operands.view()),
                                          spec_from<result.length>(result.view())>>{};
  } else if constexpr (Rule::unknown >= 0) {
    constexpr FixedText axis = axis_text(Rule::sharding, Rule::unknown);
    return std::type_identity<
        error::size_of_whole_is_not_known<"local_map", spec_from<axis.length>(axis.view()), S>>{};
  } else {
    return std::type_identity<void>{};
  }
}

/// The sharding of the result with all sizes given by the local result and the operands.
template <class Rule, class R>
struct LocalMapSizes {
  static constexpr Sharding sharding() {
    Sharding result = Rule::sharding;
    for (int i = 0; i < result.shape.rank; ++i) {
      Axis const known = result[i].empty() ? R::shape[i] : Rule::operand_axis(i);
      if (agree(result.shape[i], known)) result.shape[i] = merge(result.shape[i], known);
    }
    return result;
  }
  static constexpr auto spec = ShardingBy<LocalMapSizes>::spec;
};

/// The sharded result for a local result, or an error type.
template <Spec S, Spec Over, class R, class Rule>
constexpr auto local_map_value() {
  if constexpr (IllFormed<R>) return std::type_identity<R>{};
  else if constexpr (!Assignable<LocalPart<typename R::value_type, S, typename R::device>, R>)
    return std::type_identity<error::sharding_does_not_fit<"local_map", S, spec_of<R>>>{};
  else {
    constexpr auto spec = LocalMapSizes<Rule, R>::spec;
    using Local = LocalPart<typename R::value_type, spec, typename R::device>;
    if constexpr (Over.view().empty()) return std::type_identity<Shard<Local, spec>>{};
    else return std::type_identity<PartialShard<Local, spec, Over, op::SumReduction>>{};
  }
}

template <Spec S, Spec Over, class F, class... X>
constexpr auto local_map_of_operands() {
  using OfOperands = typename decltype(local_map_operand_mistake<X...>())::type;
  using OfResult =
      typename decltype(local_map_sharding_mistake<S, LocalMapRule<S, Over, X...>>())::type;
  if constexpr (!std::is_void_v<OfOperands>) return std::type_identity<OfOperands>{};
  else if constexpr (!std::is_void_v<OfResult>) return std::type_identity<OfResult>{};
  else
    return local_map_value<S, Over,
                           Unqualified<decltype(std::declval<F const&>()(
                               local_map_operand<X...>(std::declval<X const&>())...))>,
                           LocalMapRule<S, Over, X...>>();
}

/// The result of `local_map` for operands, or an error type.
template <Spec S, Spec Over, class F, class... X>
constexpr auto local_map_result() {
  if constexpr (!CapturesNothing<F>)
    return std::type_identity<error::function_captures_pass_arguments<"local_map">>{};
  else if constexpr (!(AnyShard<X> || ...))
    return std::type_identity<error::no_argument_is_sharded<"local_map">>{};
  else return local_map_of_operands<S, Over, F, X...>();
}

/// A function of local shards as one of sharded tensors.
template <Spec S, Spec Over, class F>
struct LocalMap {
  F f;

  template <class... X,
            WellFormed R = typename decltype(local_map_result<S, Over, F, X...>())::type>
  R operator()(X const&... x) const {
    typename R::local_type local(f(local_map_operand<X...>(x)...));
    Sizes const whole = LocalMapRule<S, Over, X...>::whole_sizes(local.sizes(), x...);
    Placement const place = common_place(x...).with_sizes(whole);
    check_part<R>(place, local.sizes());  // defined where there is MPI
    return {std::move(local), place};
  }
  template <class... X, IllFormed R = typename decltype(local_map_result<S, Over, F, X...>())::type>
  auto operator()(X const&... x) const -> R;
};

/// Applies `f` on each rank to the local shards of sharded tensors: `local_map<"batch@dp
/// out">(f)(x, w)`. The first template argument is the sharding of the result, the second the mesh
/// axes over which the result is partial, as "dp@tp". `f` has no captures; numbers, equal on all
/// ranks, and a mesh, passed on as a `LocalMesh`, are arguments. Gradients are global: the adjoint
/// of an operand is summed over the mesh axes that divide other operands and not it. Throws
/// `ShapeError` if the local result does not have the sizes of a shard. JAX: `shard_map`. PyTorch:
/// `local_map`.
template <Spec S, Spec Over = "", class F>
auto local_map(F f) {
  return LocalMap<canonical_sharding<S>, Over, F>{std::move(f)};
}

}  // namespace tenon::internal

namespace tenon {

using internal::local_map;

}  // namespace tenon
