#pragma once

#include <array>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/core/annotation/check.hpp>
#include <tenon/core/call.hpp>
#include <tenon/expr/annotation.hpp>
#include <tenon/expr/stored_operand.hpp>

/// Patterns that are also checked at run time, for a function (`checked`) or in its body (`check`).
namespace tenon::internal {

struct CheckedName {
  static constexpr std::string_view name = "checked";
};
struct AsName {
  static constexpr std::string_view name = "as";
};

/// The first of the arguments, or the result, that cannot be checked: `argument 2 is no tensor`.
template <Spec S>
constexpr FixedText no_tensor_text(std::initializer_list<bool> are_tensors) {
  int first = 0;
  for (bool const is_tensor : are_tensors) {
    if (!is_tensor) break;
    ++first;
  }
  return mistake_text({place_in_pattern(first, pattern_arguments<S>).view(), " is no tensor"});
}
template <Spec S, class... E>
struct NoTensor {
  static constexpr FixedText text = no_tensor_text<S>({Expression<E>...});
};

/// The mismatch of tensors with a pattern, or `void`.
template <class Name, Spec S, class... E>
constexpr auto tensors_mistake() {
  using Match = PatternMatch<S, E...>;
  if constexpr (Match::value.fits) return std::type_identity<void>{};
  else
    return std::type_identity<
        error::pattern_does_not_fit<spec_of_name<Name>, spec_of_text<Match>, S, spec_of<E>...>>{};
}

/// The same for the arguments `E...`, the last of which may be the result.
template <class Name, Spec S, class... E>
constexpr auto pattern_mistake_of() {
  if constexpr ((Expression<E> && ...)) return tensors_mistake<Name, S, E...>();
  else
    return std::type_identity<
        error::pattern_does_not_fit<spec_of_name<Name>, spec_of_text<NoTensor<S, E...>>, S>>{};
}

/// The mismatch of arguments none of which is an error type, or `void`.
template <class Name, Spec S, class... X>
  requires(!(Mistake<X> || ...))
using ArgumentsMistake = typename decltype(pattern_mistake_of<Name, S, Unqualified<X>...>())::type;

template <Spec S, class F, class... X>
constexpr auto checked_mistake() {
  using Arguments = decltype(pattern_mistake_of<CheckedName, S, Unqualified<X>...>());
  if constexpr (!std::is_void_v<typename Arguments::type> || !pattern_has_result<S>)
    return Arguments{};
  else
    return pattern_mistake_of<CheckedName, S, Unqualified<X>...,
                              Unqualified<CallResult<F, X...>>>();
}

template <Spec S, class F, class... X>
using CheckedMistake = typename decltype(checked_mistake<S, F, X...>())::type;

template <Spec S, class F, class... X>
concept Checks = std::is_void_v<CheckedMistake<S, F, X...>>;

/// Checks at run time the sizes that are not static.
template <class Name, Spec S, class... E>
constexpr void check_pattern(std::array<Sizes, sizeof...(E)> const& sizes) {
  if constexpr (PatternMatch<S, E...>::value.open)
    check_words<S>(Name::name, std::array<Shape, sizeof...(E)>{Shape(E::shape)...}, sizes);
}

struct CheckName {
  static constexpr std::string_view name = "check";
};

/// Checks arguments in the body of a function, where all sizes are known: `check<"n, 2*n">(x, y)`.
/// A word is a variable of that call, as in `fits`; with an arrow, the result may follow the
/// arguments. A mismatch of types does not compile. Run-time sizes are compared here: throws
/// `ShapeError`, which names the word, the axis and argument, the expected and actual sizes, and
/// the sizes of the words so far. Nothing is evaluated. PyTorch: `torch._check`; jaxtyping with a
/// type checker.
template <Spec S, Expression... X>
  requires std::is_void_v<ArgumentsMistake<CheckName, S, X...>>
constexpr void check(X const&... x) {
  check_pattern<CheckName, S, Unqualified<X>...>({x.sizes()...});
}
template <Spec S, class... X, class R = ArgumentsMistake<CheckName, S, X...>>
  requires(!std::is_void_v<R>)
auto check(X const&... x) -> R;
template <Spec, class... X, class R = Refused<CheckName, X...>>
auto check(X const&...) -> R;

/// A function whose arguments and result are checked against a pattern.
template <Spec S, class F>
struct Checked {
  F function;

  template <Expression... X>
    requires Checks<S, F const&, X&&...>
  constexpr decltype(auto) operator()(X&&... x) const {
    std::array<Sizes, sizeof...(X)> const sizes{x.sizes()...};
    check_pattern<CheckedName, S, Unqualified<X>...>(sizes);
    if constexpr (!pattern_has_result<S>) return function(std::forward<X>(x)...);
    else {
      CallResult<F const&, X&&...> result = function(std::forward<X>(x)...);
      std::array<Sizes, sizeof...(X) + 1> all{};
      for (std::size_t i = 0; i < sizeof...(X); ++i) all[i] = sizes[i];
      all[sizeof...(X)] = result.sizes();
      check_pattern<CheckedName, S, Unqualified<X>..., Unqualified<decltype(result)>>(all);
      return result;
    }
  }
  template <class... X>
    requires(!(Mistake<X> || ...) && !Checks<S, F const&, X && ...>)
  auto operator()(X&&... x) const -> CheckedMistake<S, F const&, X&&...>;
  template <class... X>
  auto operator()(X const&...) const -> FirstMistake<X...>;
};

/// `f` under a pattern, `checked<"*batch c, c d -> *batch d">(f)`: a mismatch of types does not
/// compile; sizes known at run time are checked before `f` and, of its result, after it. Throws
/// `ShapeError`. The result keeps its axis names. In a function's body: `check`. jaxtyping:
/// `@jaxtyped`.
template <Spec S, class F>
constexpr Checked<S, std::decay_t<F>> checked(F&& f) {
  return {std::forward<F>(f)};
}

/// The first axis of a shape that does not agree with that of the other, or -1.
constexpr int first_disagreement(Shape const& a, Shape const& b) {
  for (int i = 0; i < a.rank && a.rank == b.rank; ++i) {
    if (!agree(a[i], b[i])) return i;
  }
  return -1;
}

template <Spec S, class E>
using AsTensor = Tensor<typename E::value_type, ReadSpec<S>::canonical, typename E::device>;

template <class To, class E>
constexpr auto as_mismatch() {
  constexpr int axis = first_disagreement(To::shape, E::shape);
  if constexpr (To::shape.rank != E::shape.rank)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<AsName>, To::spec, spec_of<E>>>{};
  else if constexpr (axis >= 0)
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<AsName>, spec_of_axis<To, axis>, spec_of_axis<E, axis>,
                               To::spec, spec_of<E>>>{};
  else return std::type_identity<void>{};
}

template <Spec S, class E>
constexpr auto as_mistake() {
  if constexpr (!ValidSpec<S>) return std::type_identity<ReadSpec<S>>{};
  else return as_mismatch<AsTensor<S, E>, E>();
}

/// The reason why `X` cannot have the spec `S`, or `void`.
template <Spec S, Expression X>
using AsMistake = typename decltype(as_mistake<S, Unqualified<X>>())::type;

/// `x` as a tensor of spec `S`, whose words are literal axis names: `as<"batch=32 784">(x)`. Checks
/// sizes at run time; throws `ShapeError`. The elements of a tensor are shared, an expression is
/// evaluated.
template <Spec S, Expression X>
  requires std::is_void_v<AsMistake<S, X>>
constexpr auto as(X&& x) -> AsTensor<S, Unqualified<X>> {
  using To = AsTensor<S, Unqualified<X>>;
  check_sizes_of<To>(AsName::name, To::spec.view(), x.sizes());
  return To(hold(std::forward<X>(x)));
}
template <Spec S, Expression X, class R = AsMistake<S, X>>
  requires(!std::is_void_v<R>)
auto as(X&& x) -> R;
template <Spec, class X, class R = Refused<AsName, X>>
auto as(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::as;
using internal::check;
using internal::checked;

}  // namespace tenon
