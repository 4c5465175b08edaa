#pragma once

#include <string>
#include <type_traits>

#include <tenon/core/error.hpp>
#include <tenon/core/rules/agree.hpp>
#include <tenon/distributed/sharding/abstract_evaluation.hpp>

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
