#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/eval/move_tree.hpp>
#include <tenon/tree/fault.hpp>

namespace tenon::internal::training {

/// Whether a value is a tensor or an expression of a floating dtype other than `T`.
template <class X, class T>
concept OfAnotherFloat =
    Expression<X> && FloatType<typename X::value_type> && !std::same_as<typename X::value_type, T>;

/// The value with the dtype `T` if it is a floating tensor or expression, also within tuples and
/// pairs, which become tuples; others are unchanged. jmp: `cast_to_compute`.
template <FloatType T, class X>
auto cast_floats(X&& x) {
  using Argument = Unqualified<X>;
  if constexpr (OfAnotherFloat<Argument, T>) {
    return eval(to<T>(std::forward<X>(x)));
  } else if constexpr (tree::is_tuple<Argument>) {
    auto const cast = [](auto const&... all) { return std::make_tuple(cast_floats<T>(all)...); };
    return std::apply(cast, x);
  } else {
    return Argument(std::forward<X>(x));
  }
}

/// A model of the dtype `Compute` that is called with floating tensors of any dtype, and whose
/// results have the dtype `Output`. Its fields and its other functions are those of the model.
template <class Model, class Compute, class Output>
struct InCompute : Model {
  template <class... X>
  auto operator()(X&&... x) const {
    Model const& model = *this;
    return cast_floats<Output>(model(cast_floats<Compute>(std::forward<X>(x))...));
  }
};

}  // namespace tenon::internal::training
