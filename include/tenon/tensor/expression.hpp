#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include <tenon/core/dispatch.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/mistake.hpp>
#include <tenon/core/rules/broadcast.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/tensor/device.hpp>
#include <tenon/tensor/index.hpp>

namespace tenon {

/// A tensor, or a lazy expression: it has a dtype, a device and axes.
template <class E>
concept ExpressionType = requires(E const& e) {
  typename E::value_type;
  typename E::device;
  { E::shape } -> std::convertible_to<Shape>;
  { e.sizes() } -> std::convertible_to<internal::Sizes>;
};

/// The same for a deduced `E&&`.
template <class E>
concept Expression = ExpressionType<std::remove_cvref_t<E>>;

}  // namespace tenon

namespace tenon::internal {

/// An expression, or another operand that stands for a tensor.
template <class X>
concept Operand = Expression<X> || is_dispatched<std::remove_cvref_t<X>>;

/// Contiguous elements of type `T`: a `std::vector`, a `std::span`; not a tensor. (A constructor
/// from `std::span` itself is considered for every copy of a tensor. Whether the tensor converts to
/// a span depends on its iterators, which copy it: a constraint that depends on itself with
/// libc++.)
template <class R, class T>
concept ElementsOf =
    !Expression<R> && !Mistake<R> && std::convertible_to<R const&, std::span<T const>>;

/// `E` as a value: without reference and const.
template <class E>
using Unqualified = std::remove_cvref_t<E>;

/// Whether a value of `From` can be stored in a `To`: same dtype and device, axes that agree one by
/// one.
template <class To, class From>
concept Assignable =
    std::same_as<typename To::value_type, typename From::value_type> &&
    (std::same_as<typename From::device, AnyDevice> ||
     std::same_as<typename To::device, typename From::device>)&&assignable(To::shape, From::shape);

/// An expression or a tensor of another type that can be stored in a `To`.
template <class E, class To>
concept AssignableTo =
    Expression<E> && !std::same_as<Unqualified<E>, To> && Assignable<To, Unqualified<E>>;

/// Throws `IndexError` if an entry of `index` is out of range.
constexpr void check_index(ElementIndex const& index, Sizes const& sizes, int rank) {
  for (int i = 0; i < rank; ++i) {
    if (at(index, i) < 0 || at(index, i) >= at(sizes, i))
      refuse_index(i, at(sizes, i), at(index, i));
  }
}

/// The offset of an element in row-major memory; throws `IndexError` if it is out of range.
template <class... I>
constexpr std::int64_t checked_place(Sizes const& sizes, I... indices) {
  std::uint64_t place = 0;
  bool inside = true;
  int axis = 0;
  [[maybe_unused]] auto const step = [&](std::int64_t index) {
    auto const size = static_cast<std::uint64_t>(at(sizes, axis++));
    inside = inside && static_cast<std::uint64_t>(index) < size;
    place = place * size + static_cast<std::uint64_t>(index);
  };
  (step(indices), ...);
  if (!inside) [[unlikely]]
    check_index({indices...}, sizes, int{sizeof...(I)});
  return static_cast<std::int64_t>(place);
}

}  // namespace tenon::internal

namespace tenon {

template <class T, Spec S, class D = Cpu>
  requires internal::Canonical<S>
class Tensor;

}  // namespace tenon

namespace tenon::internal {

template <class E>
inline constexpr bool is_tensor = false;
template <class T, Spec S, class D>
inline constexpr bool is_tensor<Tensor<T, S, D>> = true;

}  // namespace tenon::internal

namespace tenon {

/// A `Tensor` type, without const or reference.
template <class E>
concept TensorType = internal::is_tensor<E>;

}  // namespace tenon

namespace tenon::internal {

/// The shape of a spec: parsed once per spec of a program.
template <Spec S>
struct ShapeOf {
  static constexpr Shape shape = parsed<S>.shape;
};

}  // namespace tenon::internal

namespace tenon::compile_error {

/// An element needs one index for each axis of the shape.
template <Spec Shape, int Expected, int Got>
struct wrong_number_of_indices;

/// The operation requires a scalar: reduce the tensor, or index an element.
template <Spec Operation, Spec Shape>
struct is_not_a_scalar;

/// A tensor cannot be constructed from its sizes: the function to use instead, and the spec.
template <Spec Advice, Spec Shape>
struct sizes_are_no_elements;

/// A variable of an expression's type keeps that type: declare it by `auto h = eval(x)` to assign
/// to it.
template <Spec Advice, Spec Shape, Spec OtherShape>
struct expressions_are_not_assigned;

}  // namespace tenon::compile_error

namespace tenon::internal {

/// The error of `h = e`, where `h` is a variable of an expression's type; none for a node's own
/// assignment.
template <class To, class From>
struct AssignedExpression {};
template <class To, class From>
  requires(!std::same_as<To, From>) && ExpressionType<From>
struct AssignedExpression<To, From> {
  using type =
      error::expressions_are_not_assigned<"write auto h = eval(...)", spec_of<To>, spec_of<From>>;
};

/// Whether this number of indices selects an element of `E`.
template <class E, class... I>
concept NamesElement = static_cast<int>(sizeof...(I)) == E::shape.rank;

template <class E>
concept ScalarShape = E::shape.rank == 0;

/// A base of public class templates: argument-dependent lookup finds the functions of this
/// namespace for their values, also those that are declared after the call.
struct Associated {};

/// The public members of every expression. `element` is found where evaluation is defined.
template <class Derived>
struct ExpressionNode {
  /// The element at a position, one index for each axis. Throws `IndexError`, and `Error` for a
  /// recorded value: a number has no gradient. `e[i]` is a tensor.
  template <std::integral... I, class E = Derived>
    requires NamesElement<E, I...>
  constexpr auto operator()(I... indices) const {
    Derived const& self = static_cast<Derived const&>(*this);
    ElementIndex const index{static_cast<std::int64_t>(indices)...};
    check_index(index, self.sizes(), Derived::shape.rank);
    return access(self, index);
  }
  template <std::integral... I, class E = Derived>
    requires(!NamesElement<E, I...>)
  auto operator()(I... indices) const
      -> error::wrong_number_of_indices<spec_of<E>, E::shape.rank, int{sizeof...(I)}>;

  /// The slice at an index of the first axis, as in PyTorch: `x[2]`, `x[-1]`. `take` is found where
  /// it is defined.
  template <std::integral I, class E = Derived>
    requires(!ScalarShape<E>)
  constexpr auto operator[](I place) const {
    return take<0>(static_cast<E const&>(*this), place);
  }

  /// The element of a scalar, as in PyTorch.
  template <class E = Derived>
    requires ScalarShape<E>
  constexpr auto item() const {
    return (*this)();
  }
  template <class E = Derived>
    requires(!ScalarShape<E>)
  auto item() const -> error::is_not_a_scalar<"item", spec_of<E>>;

  /// Declared only: each node brings it in by `using`.
  template <class E, class D = Derived>
  auto operator=(E&&) -> typename AssignedExpression<D, Unqualified<E>>::type;
};

/// The base `Base<E>` of a tensor or a node `E`, with the conversion of a scalar to its number.
/// (Only scalars have it: for an operator on a number and a value with a conversion compilers try
/// the built-in operators on all pairs of arithmetic types.)
template <bool is_scalar>
struct WithConversion {
  template <class E, template <class> class Base>
  using type = Base<E>;
};

/// A scalar converts to exactly its dtype: `float l = mean(x)`, `if (loss < best)`. Throws `Error`
/// for a recorded value, as `item` does.
template <class E, template <class> class Base>
struct ConvertsToNumber : Base<E> {
  template <class T>
    requires std::same_as<T, typename E::value_type>
  constexpr operator T() const {
    return static_cast<E const&>(*this).item();
  }
};

template <>
struct WithConversion<true> {
  template <class E, template <class> class Base>
  using type = ConvertsToNumber<E, Base>;
};

/// The base of a node.
template <class Derived, bool is_scalar>
using NodeBase = typename WithConversion<is_scalar>::template type<Derived, ExpressionNode>;

/// The base of a tensor.
template <class E>
using AssociatedBase = Associated;
template <class E, bool is_scalar>
using TensorBase = typename WithConversion<is_scalar>::template type<E, AssociatedBase>;

}  // namespace tenon::internal
