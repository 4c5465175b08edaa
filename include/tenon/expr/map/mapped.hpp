#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/expr/map/map.hpp>
#include <tenon/expr/map/rewrite.hpp>
#include <tenon/op/function.hpp>

namespace tenon::internal {

/// How an operand of a map is stored: literals become numbers of dtype `T`.
template <class X, class T>
struct KeptAs {
  using type = StoredOperand<X>;
};
template <LiteralNumber X, class T>
struct KeptAs<X, T> {
  using type = ConstantNode<T>;
};

/// The constructor argument of a node's operand; `who` is the operation. Throws `ValueError` for a
/// literal outside the range of an integer dtype.
template <class Kept, class X>
TENON_INLINE constexpr decltype(auto) keep_operand(std::string_view who, X&& x) {
  if constexpr (is_constant<Kept> && !Expression<X>) {
    using T = typename Kept::value_type;
    check_number<T>(who, x);
    return Kept(number_as<Computed<T>>(x));
  } else {
    return held(static_cast<X&&>(x));
  }
}

template <class A, class B>
concept DevicesMeet =
    std::same_as<typename A::device, typename B::device> ||
    std::same_as<typename A::device, AnyDevice> || std::same_as<typename B::device, AnyDevice>;

template <class Op, class... E>
concept TakesDtypes = requires { typename MapValue<Op, typename E::value_type...>::type; };

template <class Op, class E>
constexpr auto dtype_mistake() {
  using T = typename E::value_type;
  constexpr bool refuses_integers = requires { typename Op::template integer_mistake<"">; };
  if constexpr (IntegerType<T> && refuses_integers)
    return std::type_identity<typename Op::template integer_mistake<spec_of_dtype<T>>>{};
  else
    return std::type_identity<error::dtype_is_not_supported<spec_of_name<Op>, spec_of_dtype<T>>>{};
}

/// Names the dtypes that differ; of three operands the first must be a mask.
template <class Op, class A, class B, class... C>
constexpr auto dtype_mistake() {
  using T = typename A::value_type;
  using U = typename B::value_type;
  if constexpr (sizeof...(C) > 0 && !BoolType<T>) return dtype_mistake<Op, A>();
  else if constexpr (sizeof...(C) > 0) return dtype_mistake<Op, B, C...>();
  else if constexpr (std::same_as<T, U>) return dtype_mistake<Op, A>();
  else
    return std::type_identity<
        error::dtypes_differ<spec_of_name<Op>, spec_of_dtype<T>, spec_of_dtype<U>>>{};
}

template <class Op, class A>
constexpr auto device_mistake() {
  return std::type_identity<void>{};
}

/// Names two devices that differ; `void` where none do.
template <class Op, class A, class B, class... Rest>
constexpr auto device_mistake() {
  if constexpr (!DevicesMeet<A, B>)
    return std::type_identity<error::devices_differ<
        spec_of_name<Op>, spec_of_name<typename A::device>, spec_of_name<typename B::device>>>{};
  else if constexpr (std::same_as<typename A::device, AnyDevice>)
    return device_mistake<Op, B, Rest...>();
  else return device_mistake<Op, A, Rest...>();
}

/// One of several types, by its position.
template <std::size_t I, class E, class... Rest>
struct TypeAt {
  using type = typename TypeAt<I - 1, Rest...>::type;
};
template <class E, class... Rest>
struct TypeAt<0, E, Rest...> {
  using type = E;
};

/// Names the axes that do not fit.
template <class Op, class... E>
constexpr auto axes_mistake() {
  constexpr auto& aligned = MapAlignment<E...>::value;
  using A = typename TypeAt<static_cast<std::size_t>(aligned.left), E...>::type;
  using B = typename TypeAt<static_cast<std::size_t>(aligned.right), E...>::type;
  return axes_differ<Op, A, aligned.left_axis, B, aligned.right_axis>();
}

/// Whether another op computes `Op` of such operands: they are complex.
template <class Op, class... E>
concept ComputedOnComplex =
    (ComplexType<typename E::value_type> && ...) && requires { typename OnComplex<Op>::type; };

/// The node of an op over stored operands, what replaces it, or the type that names the error.
template <class Op, class... E>
constexpr auto map_of_kept() {
  using devices = typename decltype(device_mistake<Op, E...>())::type;
  if constexpr (!std::is_void_v<devices>) return std::type_identity<devices>{};
  else if constexpr (ComputedOnComplex<Op, E...>)
    return map_of_kept<typename OnComplex<Op>::type, E...>();
  else if constexpr (!TakesDtypes<Op, E...>) return dtype_mistake<Op, E...>();
  else if constexpr (!MapAlignment<E...>::value.fits) return axes_mistake<Op, E...>();
  else if constexpr (Replaced<Op, E...>) return Replacement<Op, E...>{};
  else return std::type_identity<Elementwise<Op, E...>>{};
}

/// An op as a function object.
template <class Op>
struct MapCall {
  static constexpr std::string_view name = Op::name;

  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(map<Op>(std::forward<X>(x)...)) {
    return map<Op>(std::forward<X>(x)...);
  }
};

template <class Op, class... X>
constexpr auto map_type() {
  if constexpr ((is_dispatched<std::remove_cvref_t<X>> || ...)) {
    return Dispatch<MapCall<Op>, X...>();
  } else {
    using T = typename WeakType<std::remove_cvref_t<X>...>::type;
    if constexpr (!(FollowsDtype<std::remove_cvref_t<X>, T> && ...))
      return std::type_identity<
          error::floating_literal_on_integers<spec_of_name<Op>, spec_of_dtype<T>>>{};
    else return map_of_kept<Op, typename KeptAs<X, T>::type...>();
  }
}

/// `Elementwise<Op, ...>` or what replaces it, or where the operands do not fit an undefined type
/// that names the error.
template <class Op, class... X>
  requires(MapOperand<X> && ...) && (Operand<X> || ...)
using Mapped = typename decltype(map_type<Op, X...>())::type;

/// Composes what `map_type` returns from its operands.
template <class Type>
struct KeptOperands;
template <class Op, class... E>
struct KeptOperands<std::type_identity<Elementwise<Op, E...>>> {
  template <class... X>
  static constexpr bool as_they_are = (std::same_as<Unqualified<X>, E> && ...);

  template <class... X>
  TENON_INLINE static constexpr Elementwise<Op, E...> map(X&&... x) {
    return Elementwise<Op, E...>(keep_operand<E>(Op::name, static_cast<X&&>(x))...);
  }
};
template <class Op, class... E>
struct KeptOperands<Replacement<Op, E...>> {
  template <class... X>
  static constexpr bool as_they_are = false;

  template <class... X>
  TENON_INLINE static constexpr auto map(X&&... x) {
    return Rules<Op>::of(E(keep_operand<E>(Op::name, static_cast<X&&>(x)))...);
  }
};

template <class Call, class... X>
struct KeptOperands<Dispatch<Call, X...>> {
  template <class...>
  static constexpr bool as_they_are = false;

  static auto map(X... x) { return Dispatch<Call, X...>::of(static_cast<X>(x)...); }
};

/// The elements of `x...`, broadcast against each other, under `Op::f`. This is the diagnostic
/// overload of every elementwise function: where the operands do not fit, its return type names the
/// error. (The type is a template parameter so that compilers print it without the alias.)
template <class Op, MapOperand... X, WellFormed Result = Mapped<Op, X&&...>>
  requires(Operand<X> || ...)
TENON_INLINE constexpr auto map(X&&... x) -> Result {
  using Kept = KeptOperands<decltype(map_type<Op, X&&...>())>;
  if constexpr (Kept::template as_they_are<X...>) return Result(static_cast<X&&>(x)...);
  else return Kept::map(static_cast<X&&>(x)...);
}
template <class Op, MapOperand... X, IllFormed Result = Mapped<Op, X&&...>>
  requires(Operand<X> || ...)
auto map(X&&... x) -> Result;

}  // namespace tenon::internal

namespace tenon {

using internal::map;

}  // namespace tenon
