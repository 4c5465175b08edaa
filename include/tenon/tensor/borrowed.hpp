#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include <tenon/core/mistake.hpp>
#include <tenon/tensor/shared_view.hpp>
#include <tenon/tensor/unfit.hpp>

/// The errors of interchange without copies: views of the memory of other libraries, and the
/// elements of tensors as objects of other libraries.
namespace tenon::compile_error {

/// The operation, and what to do instead: the elements are not computed yet, or are not in memory
/// with strides.
template <Spec Operation, Spec Advice>
struct expression_has_no_elements;

/// The operation, and what to do instead: the elements would be freed with the temporary.
template <Spec Operation, Spec Advice>
struct temporary_has_no_lasting_elements;

/// The type of the elements of an object of another library is no dtype.
template <Spec Operation, class Scalar>
struct scalar_is_no_dtype;

/// The operation, and what to do instead: it writes the elements.
template <Spec Operation, Spec Advice>
struct elements_are_constant;

/// The other library reads the memory of the host.
template <Spec Operation, Spec Advice, Spec Device>
struct elements_are_on_a_device;

}  // namespace tenon::compile_error

namespace tenon::internal {

struct ViewName {
  static constexpr std::string_view name = "view";
};

/// A spec with the static sizes of `Own`, the shape of an object of another library.
template <Spec S, class Own>
struct SizedBy {
  static constexpr Shape shape = merged(ShapeOf<S>::shape, Own::shape);
};

/// The axes of `Own` that do not fit the spec of a view; `void` if all do.
template <class Given, class Own>
constexpr auto unfit_view() {
  if constexpr (assignable(Given::shape, Own::shape)) return std::type_identity<void>{};
  else return assignment_mistake<ViewName, Given, Own>();
}

/// A function that writes elements names the one for constants: `"use as_eigen"`.
template <class Name>
inline constexpr bool writes_elements = requires { Name::for_constants; };

/// Whether an argument's elements outlive it: those of a temporary view do, unless it owns them, or
/// is what keeps a tensor's elements from being shared while they are written.
template <class Name, class E, class X = Unqualified<E>>
inline constexpr bool has_lasting_elements =
    std::is_lvalue_reference_v<E> || (is_view<X> && !owns_memory<X> && !writes_elements<Name>);

/// Whether elements may be written through an argument.
template <class E>
concept HasMutableData = requires(std::remove_reference_t<E>& x) { x.mutable_data(); };

/// Whether the elements are in memory: those of a tensor; of a view with strides.
template <class X, bool with_strides = true>
concept HasElements = TensorType<X> || (with_strides && is_view<X>);

/// Names the reason why the elements of an argument cannot be an object of another library without
/// a copy; `void` if they can.
template <class Name, class E, class X = Unqualified<E>>
constexpr auto lending_mistake() {
  constexpr auto who = spec_of_name<Name>;
  if constexpr (!HasElements<X, Name::with_strides>)
    return std::type_identity<
        error::expression_has_no_elements<who, "evaluate it first, with eval">>{};
  else if constexpr (!X::device::is_host)
    return std::type_identity<error::elements_are_on_a_device<who, "move it first, with to<Cpu>",
                                                              spec_of_name<typename X::device>>>{};
  else if constexpr (!has_lasting_elements<Name, E>)
    return std::type_identity<error::temporary_has_no_lasting_elements<who, "name it first">>{};
  else if constexpr (writes_elements<Name> && !HasMutableData<E>)
    return std::type_identity<error::elements_are_constant<who, Name::for_constants>>{};
  else return std::type_identity<void>{};
}
template <class Name, class E>
using LendingMistake = typename decltype(lending_mistake<Name, E>())::type;

struct AsSpanName {
  static constexpr std::string_view name = "as_span";
  static constexpr bool with_strides = false;
};

}  // namespace tenon::internal
