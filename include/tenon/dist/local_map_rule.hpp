#pragma once

#include <string>
#include <type_traits>

#include <tenon/core/error.hpp>
#include <tenon/core/rules/agree.hpp>
#include <tenon/dist/over_shards.hpp>

/// How the result of `local_map` lies on the mesh, and what is wrong with it.
namespace tenon {

namespace error {

/// The function keeps values of its own, whose gradients would be those of one rank: a lambda that
/// captures nothing takes them as arguments, tensors as sharded ones.
template <Spec Operation>
struct function_captures_pass_arguments;

/// The operands differ from rank to rank along the first axes of the mesh, and the result is said
/// to differ along the second: a result is divided or partial over all axes that divide operands.
template <Spec Operation, Spec OfOperands, Spec OfResult>
struct mesh_axes_of_result_differ;

/// An argument of this type may hold tensors, whose gradients would be those of one rank: sharded
/// tensors, numbers, strings, keys and meshes are arguments.
template <Spec Operation, class Argument>
struct argument_may_hold_tensors;

/// No argument is a sharded tensor: nothing says on which mesh the result is.
template <Spec Operation>
struct no_argument_is_sharded;

/// An axis of the result is divided, and no operand has an axis of its name: the size of the whole
/// is not known.
template <Spec Operation, Spec Axis, Spec Sharding>
struct size_of_whole_is_not_known;

}  // namespace error

/// Do two lists have the same axes of a mesh, in any order?
constexpr bool same_axes(std::string_view a, std::string_view b) {
  bool same = true;
  for_each_mesh_axis(a, [&](std::string_view name) { same = same && lists(b, name); });
  for_each_mesh_axis(b, [&](std::string_view name) { same = same && lists(a, name); });
  return same;
}

/// The result of `local_map`: its sharding, and the axes of the mesh over which it is partial.
template <Spec S, Spec Over, class... X>
struct LocalMapRule {
  static constexpr Sharding const& sharding = parsed_sharding<S>.sharding;
  static constexpr FixedText of_operands = dividing_all<X...>();
  static constexpr FixedText of_result = [] {
    FixedText all = divided_over(sharding);
    for_each_mesh_axis(Over.view(), [&](auto name) { all = with_mesh_axis(all, name); });
    return all;
  }();
  static constexpr bool has_axes_of_operands = same_axes(of_operands.view(), of_result.view());

  /// The axis of an operand with the name of an axis of the result; -1 where it has none.
  template <class One>
  static constexpr int axis_in(int axis) {
    if constexpr (AnyShard<One>) {
      Shape const& shape = One::sharding.shape;
      for (int i = 0; i < shape.rank; ++i)
        if (sharding.shape[axis].is_named() && shape[i].name == sharding.shape[axis].name) return i;
    }
    return -1;
  }
  /// Is no axis divided over the axes of the mesh of an operand in another order?
  template <class One>
  static constexpr bool keeps_order() {
    if constexpr (AnyShard<One>)
      for (int i = 0; i < sharding.shape.rank; ++i)
        if (int const own = axis_in<One>(i); own >= 0 && !(One::sharding[own] == sharding[i]))
          if (same_axes(One::sharding[own].view(), sharding[i].view())) return false;
    return true;
  }
  static constexpr bool fits = has_axes_of_operands && (keeps_order<X>() && ...);

  /// The axis as an operand knows it.
  static constexpr Axis operand_axis(int axis) {
    Axis found = sharding.shape[axis];
    auto const look = [&]<class One>(std::type_identity<One>) {
      if constexpr (AnyShard<One>)
        if (int const own = axis_in<One>(axis); own >= 0) found = One::sharding.shape[own];
    };
    (look(std::type_identity<X>()), ...);
    return found;
  }
  /// The first axis of which the size of the whole is not known; -1 where all are.
  static constexpr int unknown = [] {
    for (int i = 0; i < sharding.shape.rank; ++i)
      if (!sharding[i].empty() && !sharding.shape[i].is_static() && ((axis_in<X>(i) < 0) && ...))
        return i;
    return -1;
  }();

  /// The sizes of the whole, of those of the part and of the operands.
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

}  // namespace tenon
