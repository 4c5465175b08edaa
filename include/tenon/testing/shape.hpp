#pragma once

#include <tenon/core/annotation/check.hpp>
#include <tenon/core/error.hpp>
#include <tenon/expr/annotation.hpp>
#include <tenon/testing/result.hpp>

namespace tenon::internal::testing {

/// Whether the axes of a tensor or an expression fit an annotation, as those of an argument
/// `Float<"batch digit=10"> auto const&` do: names, order and sizes; `*batch`, `...` and the other
/// forms of annotations are allowed, any dtype is. A mismatch of types does not compile; run-time
/// sizes are compared when it is called. Nothing is evaluated. jaxtyping: `isinstance(x,
/// Shaped[Array, "batch digit=10"])`.
template <Spec S, Expression X>
  requires Shaped<X, S>
Result check_shape(X const& x) {
  try {
    check_annotation<S>("check_shape", X::shape, x.sizes());
    return {};
  } catch (ShapeError const& error) {
    return failed(error.what());
  }
}
template <Spec S, Expression X>
  requires(!Shaped<X, S>)
auto check_shape(X const& x) -> AnnotationMistake<S, X>;
template <Spec, Mistake X>
auto check_shape(X const& x) -> X;

}  // namespace tenon::internal::testing

namespace tenon::testing {

using internal::testing::check_shape;

}  // namespace tenon::testing
