#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/autodiff/linearize.hpp>
#include <tenon/autodiff/sequence.hpp>
#include <tenon/core/rules/capture.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/expr/view/rename.hpp>

/// Matrices of derivatives: the axes of the value, then those of the argument.
namespace tenon::internal {

/// The new axis of an argument in a shape that has those of the value: `t` at run time beside a `t`
/// of another kind is `t=_`, for they are different sizes.
constexpr Axis beside(Axis const& axis, Shape const& others) {
  for (Axis const& other : others) {
    bool const same = !axis.name.empty() && axis.name == other.name;
    if (same && axis.is_static() != other.is_static() && !axis.is_static())
      return unrelated_axis(axis.name);
  }
  return axis;
}

/// The axes of a value and of an argument in one shape.
constexpr ResolvedAxes jacobian_axes(Shape const& value, Shape const& argument) {
  Shape shape{};
  AxisScope from_value{value, same_order(value.rank)}, from_argument{argument, no_axes()};
  for (Axis const& axis : value) shape[shape.rank++] = beside(axis, argument);
  for (int i = 0; i < argument.rank; ++i) {
    from_argument.to[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(shape.rank);
    shape[shape.rank++] = beside(argument[i], value);
  }
  return resolve(without_captures(shape, std::array<AxisScope, 2>{from_value, from_argument}));
}

/// The axes of an argument under other names: one for each, or none.
constexpr Shape under_names(Shape const& argument, std::string_view names) {
  Shape renamed{};
  for (Axis const& axis : argument) {
    std::string_view const word = next_word(names);
    renamed[renamed.rank] = axis;
    if (!word.empty()) renamed[renamed.rank].name = FixedText(word);
    ++renamed.rank;
  }
  return with_new_sizes(argument, renamed);
}
constexpr int number_of_words(std::string_view names) {
  int number = 0;
  while (!next_word(names).empty()) ++number;
  return number;
}

template <class Y, class X, Spec names>
struct JacobianRule {
  static constexpr ResolvedAxes axes = jacobian_axes(Y::shape, under_names(X::shape, names.view()));
  static constexpr Shape const& shape = axes.shape;
};
template <class Y, class X, Spec names>
using JacobianTensor =
    Tensor<typename Y::value_type, spec_of<JacobianRule<Y, X, names>>, typename Y::device>;

/// The result, or the name of an error.
template <class Name, Spec names, class F, class X>
constexpr auto jacobian_type() {
  if constexpr (!TensorType<X>)
    return std::type_identity<error::function_does_not_take<spec_of_name<Name>, X>>{};
  else if constexpr (!Differentiates<F, X>) return no_derivative<Name, F, X>();
  else {
    using R = Unqualified<CallResult<F const&, X const&>>;
    constexpr int words = number_of_words(names.view());
    if constexpr (Mistake<R>) return std::type_identity<R>{};
    else if constexpr (!Expression<R>)
      return std::type_identity<error::is_not_a_tensor<spec_of_name<Name>>>{};
    else if constexpr (words != 0 && words != X::rank)
      return std::type_identity<
          error::wrong_number_of_axes<spec_of_name<Name>, names, X::rank, words>>{};
    else if constexpr (R::shape.rank + X::rank > max_rank)
      return std::type_identity<error::wrong_number_of_axes<spec_of_name<Name>, spec_of<R>,
                                                            max_rank - X::rank, R::shape.rank>>{};
    else return std::type_identity<JacobianTensor<TensorOf<R>, X, names>>{};
  }
}
template <class Name, Spec names, class F, class X>
using JacobianOf = typename decltype(jacobian_type<Name, names, F, X>())::type;

/// Zeros like `x` but for a one, the element `i` of its elements in row-major order.
template <TensorType X>
X unit_like(X const& x, std::int64_t i) {
  using T = typename X::value_type;
  auto unit = filled(OnDevice<X, Cpu>::uninitialised(x.sizes()), T(0));
  unit.mutable_data()[i] = T(1);
  return moved_to<typename X::device>(unit);
}

/// The sizes of two tensors, one after the other.
template <TensorType Y, TensorType X>
Sizes sizes_of_both(Y const& y, X const& x) {
  Sizes sizes = y.sizes();
  for (int i = 0; i < X::rank; ++i) at(sizes, Y::rank + i) = at(x.sizes(), i);
  return sizes;
}

/// One row for each element of the value: the gradient of that element.
template <TensorType R, TensorType Y, class F, TensorType X>
R reverse_jacobian(F const& f, X const& at) {
  bool const is_nested = recording != 0;
  graph::Scope scope;
  X const leaves = graph::tracked(at);
  Y const value = as_value(f(leaves));
  std::size_t const before = graph::values().count();
  auto const row = [&](std::int64_t i) {
    X gradient = graph::gradients(value, unit_like(value, i), leaves);
    if (is_nested) return sequence::one_step(gradient);
    gradient = unmarked_leaves(std::move(gradient));
    graph::values().shrink(before);
    return sequence::one_step(gradient);
  };
  Sizes const sizes = sizes_of_both(value, at);
  if (value.size() == 0) return R::uninitialised(sizes);
  R result = reshaped<R>(sequence::join_range(row, 0, value.size()), sizes);
  scope.leave(result);
  return result;
}

/// One column for each element of the argument: the derivative along that element.
template <TensorType R, TensorType Y, class F, TensorType X>
R forward_jacobian(F const& f, X const& at) {
  using Matrix = Tensor<typename Y::value_type, "_ _", typename Y::device>;
  auto const [value, derivative] = linearize(f, at);
  Sizes const sizes = sizes_of_both(value, at);
  if (at.size() == 0) return R::uninitialised(sizes);
  auto const column = [&](std::int64_t i) {
    return sequence::one_step(Y(derivative(unit_like(at, i))));
  };
  auto const columns = reshaped<Matrix>(sequence::join_range(column, 0, at.size()),
                                        first_sizes(at.size(), value.size()));
  return reshaped<R>(eval(transpose(columns)), sizes);
}

/// A function that gives the Jacobian of `f`: forward or in reverse.
template <class Name, Spec names, class F, bool is_forward>
struct Jacobian {
  F f;

  template <class X, TensorType R = JacobianOf<Name, names, F, X>>
  R operator()(X const& at) const {
    using Y = TensorOf<CallResult<F const&, X const&>>;
    if constexpr (is_forward) return forward_jacobian<R, Y>(f, at);
    else return reverse_jacobian<R, Y>(f, at);
  }
  template <class X, Mistake M = JacobianOf<Name, names, F, X>>
  auto operator()(X const& at) const -> M;
};

/// The Jacobian of a function of one tensor to another, row by row in reverse mode: the axes of the
/// value, then those of the argument. f from "n" to "m" gives "m n", from "n" to "n" gives "n n".
/// `jacrev<"k">(f)` names the axes of the argument, one name for each: "m k". f runs once, the
/// backward once for each element of the value, on the host. What f captures is constant. JAX,
/// PyTorch: `jacrev`.
template <Spec names = "", class F>
Jacobian<Named<"jacrev">, names, F, false> jacrev(F f) {
  return {std::move(f)};
}

/// The Jacobian as `jacrev` gives it, column by column in forward mode: for an argument with fewer
/// elements than the value. JAX, PyTorch: `jacfwd`.
template <Spec names = "", class F>
Jacobian<Named<"jacfwd">, names, F, true> jacfwd(F f) {
  return {std::move(f)};
}

/// The Jacobian in reverse mode, as `jacrev`. JAX: `jacobian`. PyTorch:
/// `torch.autograd.functional.jacobian`.
template <Spec names = "", class F>
Jacobian<Named<"jacobian">, names, F, false> jacobian(F f) {
  return {std::move(f)};
}

/// The Hessian of a scalar function of a tensor: its axes twice. "n" gives "n n", which is
/// symmetric; `hessian<"k">(f)` names the second axes: "n k". Forward and gradient run once, one
/// more backward for each element, on the host. JAX, PyTorch: `hessian`.
template <Spec names = "", class F>
auto hessian(F f) {
  return Jacobian<Named<"hessian">, names, Gradient<F>, false>{grad(std::move(f))};
}

}  // namespace tenon::internal

namespace tenon {

using internal::hessian;
using internal::jacfwd;
using internal::jacobian;
using internal::jacrev;

}  // namespace tenon
