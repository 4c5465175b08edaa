#pragma once

#include <string_view>

#include <tenon/core/rules/join.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/eval/tape/leaves.hpp>
#include <tenon/tensor/tracing.hpp>

/// What functions of data share whose results have a size that is known at run time.
namespace tenon::internal {

/// The elements of an expression in host memory, for a function that `onnx::save` refuses.
template <class X>
auto host_value(std::string_view function, X const& x) {
  tracing::refuse_while_on(function);
  return moved_to<Cpu>(unmarked_leaves(eval(x)));
}

/// A line of a size known at run time, with the name of an axis: `t` gives `t=_`; `_` for axis -1.
template <class E, int axis>
struct LineOfRule {
  static constexpr Shape shape =
      inserted(Shape{}, 0, axis < 0 ? Axis{} : unrelated_axis(E::shape[axis < 0 ? 0 : axis].name));
};

}  // namespace tenon::internal
