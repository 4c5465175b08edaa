#pragma once

#include <array>
#include <string>
#include <type_traits>

#include <tenon/eval/print_graph.hpp>
#include <tenon/expr/checked.hpp>

/// The sizes and axes that the words of a pattern have in a call.
namespace tenon::internal {

struct BindingsTextName {
  static constexpr std::string_view name = "bindings_text";
};
struct PrintBindingsName {
  static constexpr std::string_view name = "print_bindings";
};

template <class Name, Spec S, class... X>
std::string bindings_of(X const&... x) {
  std::array<Shape, sizeof...(X)> const shapes{Shape(X::shape)...};
  return bound_words(check_words<S>(Name::name, shapes, {x.sizes()...}));
}

/// The bindings of the words of a pattern in its arguments, as text: `b=2, n=3, *batch=(4, 5)`, the
/// variadic words last. A mismatch of types does not compile, run-time sizes that differ throw
/// `ShapeError`, as in `check`; with an arrow, the result may follow the arguments. Nothing is
/// evaluated.
template <Spec S, Expression... X>
  requires std::is_void_v<ArgumentsMistake<BindingsTextName, S, X...>>
std::string bindings_text(X const&... x) {
  return bindings_of<BindingsTextName, S>(x...);
}
template <Spec S, class... X, class R = ArgumentsMistake<BindingsTextName, S, X...>>
  requires(!std::is_void_v<R>)
auto bindings_text(X const&... x) -> R;
template <Spec, class... X>
auto bindings_text(X const&...) -> FirstMistake<X...>;

/// Writes the bindings of the words of a pattern and a line break to standard output: in the body
/// of a function, `print_bindings<"*batch c, c d">(x, y)` prints the size of each word, as
/// `bindings_text` returns them. Throws `ShapeError`. jaxtyping: `print_bindings`.
template <Spec S, Expression... X>
  requires std::is_void_v<ArgumentsMistake<PrintBindingsName, S, X...>>
void print_bindings(X const&... x) {
  print_text(bindings_of<PrintBindingsName, S>(x...) + "\n");
}
template <Spec S, class... X, class R = ArgumentsMistake<PrintBindingsName, S, X...>>
  requires(!std::is_void_v<R>)
auto print_bindings(X const&... x) -> R;
template <Spec, class... X>
auto print_bindings(X const&...) -> FirstMistake<X...>;

}  // namespace tenon::internal

namespace tenon {

using internal::bindings_text;
using internal::print_bindings;

}  // namespace tenon
