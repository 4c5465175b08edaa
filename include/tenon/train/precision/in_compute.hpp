#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/eval/move_tree.hpp>

namespace tenon::internal::training {

/// Whether a value is a tensor or an expression of a floating dtype other than `T`.
template <class X, class T>
concept OfAnotherFloat = Expression<X> && FloatType<typename std::remove_cvref_t<X>::value_type> &&
                         !std::same_as<typename std::remove_cvref_t<X>::value_type, T>;

/// The value with the dtype `T` if it is floating, and the elements of a tuple; others are
/// unchanged. jmp: `cast_to_compute`.
template <FloatType T, class X>
decltype(auto) cast_floats(X&& x) {
  if constexpr (OfAnotherFloat<X, T>) return eval(to<T>(std::forward<X>(x)));
  else return std::forward<X>(x);
}
template <FloatType T, class... X>
auto cast_floats(std::tuple<X...> const& all) {
  return std::apply(
      [](auto const&... x) { return std::tuple(std::remove_cvref_t<X>(cast_floats<T>(x))...); },
      all);
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
