#pragma once

#include <type_traits>

/// A mistake inside another call: what the inner call returns is an undefined type that names the
/// mistake, and the outer call hands that type on, so that the compiler speaks of the inner one.
/// (g++ and clang refuse the inner call at once; but in a template, where nothing depends on a
/// parameter, g++ 12 first looks for an outer function that takes such a type.)
namespace tenon {

namespace error {

/// Marks all types of this namespace: argument-dependent lookup finds it for them alone.
void names_a_mistake(void const*);

}  // namespace error

/// One of the types that are declared in `error` and never defined.
template <class X>
concept Mistake = std::is_class_v<std::remove_reference_t<X>> && !requires {
  typename std::remove_reference_t<X>::value_type;
} && requires(std::remove_reference_t<X> const* x) { names_a_mistake(x); };

template <class X, class... Rest>
constexpr auto first_mistake() {
  if constexpr (Mistake<X>) return std::type_identity<std::remove_cvref_t<X>>{};
  else return first_mistake<Rest...>();
}

/// What a function returns whose arguments are mistaken; next to each function stands one
/// declaration that says so.
template <class... X>
  requires(Mistake<X> || ...)
using FirstMistake = typename decltype(first_mistake<X...>())::type;

}  // namespace tenon
