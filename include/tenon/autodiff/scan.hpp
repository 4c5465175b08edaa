#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/autodiff/scan_steps.hpp>

namespace tenon::compile_error {

/// A step of `scan` returns the next carry, of the type of the one that it takes, or a pair of it
/// and an output: tensors, or tuples of them.
template <Spec Operation, class Carry, class Result>
struct carry_has_another_type;

}  // namespace tenon::compile_error

namespace tenon::internal::sequence {

struct StepsText {
  static constexpr FixedText text = "the axis of the steps is one name";
};

/// The first type of several that is no `void`.
template <std::same_as<void>... Void>
constexpr auto first_reason() {
  return std::type_identity<void>{};
}
template <class First, class... Rest>
  requires(!(std::is_void_v<First> && ... && std::is_void_v<Rest>))
constexpr auto first_reason() {
  if constexpr (!std::is_void_v<First>) return std::type_identity<First>{};
  else return first_reason<Rest...>();
}

template <class X>
concept FilledTuple = SequenceTuple<X> && (std::tuple_size<X>::value > 0);

/// Names the reason why something is no sequence along an axis; `void` where it is one.
template <Axes axes, class X>
constexpr auto sequence_mistake() {
  if constexpr (Expression<X>) return axes_mistake<ScanName, axes, 1, X>();
  else if constexpr (std::integral<X> && is_name(axes.names.view()))
    return std::type_identity<void>{};
  else if constexpr (std::integral<X>)
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<ScanName>, spec_of_text<StepsText>, spec_of_text<NamesOf<axes>>>>{};
  else if constexpr (FilledTuple<X>)
    return []<std::size_t... k>(std::index_sequence<k...>) {
      return first_reason<
          typename decltype(sequence_mistake<axes, std::tuple_element_t<k, X>>())::type...>();
    }(std::make_index_sequence<std::tuple_size_v<X>>());
  else return std::type_identity<error::function_does_not_take<spec_of_name<ScanName>, X>>{};
}
template <Axes axes, class X>
concept SequenceAlong = std::is_void_v<typename decltype(sequence_mistake<axes, X>())::type>;

/// Tensors, or tuples of them, which can have one more axis.
template <class Y>
inline constexpr bool is_output = false;
template <Expression Y>
inline constexpr bool is_output<Y> = (Y::shape.rank < max_rank);
template <SequenceTuple Y>
inline constexpr bool is_output<Y> = []<std::size_t... k>(std::index_sequence<k...>) {
  return (is_output<std::tuple_element_t<k, Y>> && ...);
}(std::make_index_sequence<std::tuple_size_v<Y>>());

/// What a step returned instead of a carry; an expression by its value.
template <class R>
constexpr auto result_type() {
  if constexpr (Expression<R>) return std::type_identity<TensorOf<R>>{};
  else return std::type_identity<R>{};
}

template <class R, class Carry>
concept ReturnsOutputs = ReturnsOutput<R, Carry> && is_output<std::tuple_element_t<1, R>>;

/// The scan of a function with its arguments, or the name of an error.
template <Axes axes, class F, class Carry, class X, class... P>
constexpr auto scan_of_steps() {
  using Step = decltype(at_step<axes>(std::declval<X const&>(), 0));
  if constexpr (!CallableWith<F const&, Carry const&, Step const&, P const&...>)
    return std::type_identity<
        error::function_does_not_take<spec_of_name<ScanName>, Carry, Step, P...>>{};
  else {
    using R = Unqualified<CallResult<F const&, Carry const&, Step const&, P const&...>>;
    if constexpr (ReturnsCarry<R, Carry> || ReturnsOutputs<R, Carry>)
      return std::type_identity<Scan<axes, F, Carry, X, P...>>{};
    else
      return std::type_identity<error::carry_has_another_type<
          spec_of_name<ScanName>, Carry, typename decltype(result_type<R>())::type>>{};
  }
}
template <Axes axes, class F, class Carry, class X, class... P>
constexpr auto scan_type() {
  if constexpr (SequenceAlong<axes, X>) return scan_of_steps<axes, F, Carry, X, P...>();
  else return sequence_mistake<axes, X>();
}
template <Axes axes, class F, class... A>
using ScanOf =
    typename decltype(scan_type<axes, F, decltype(as_value(std::declval<A>()))...>())::type;

/// Runs `f(carry, x, parameters...)` for each position of `xs` along an axis, in order, from the
/// carry `start`. `f` returns the next carry, any tree of one type, or a pair of it and an output.
/// The result is the last carry, or a pair of it and the outputs along a new first axis: "batch h"
/// gives "time batch h". `xs` is a tensor, of which a step takes a part without the axis; a tuple,
/// pair or array of them; or a number of steps, of which it takes the position. A recording stores
/// the carries only, and the backward runs each step again. Gradients reach `start`, `xs` and
/// `parameters`; throws `Error` where `f` captures a recorded value, `ShapeError` where parts of
/// `xs` have different numbers of steps. JAX: `lax.scan`, of a step under `checkpoint`.
template <Axes axis, class F, class Start, class X, class... P>
  requires(!Mistake<ScanOf<axis, F, Start const&, X const&, P const&...>>)
auto scan(F f, Start const& start, X const& xs, P const&... parameters) {
  using Own = ScanOf<axis, F, Start const&, X const&, P const&...>;
  Own const own{std::move(f), as_value(start), as_value(xs), {as_value(parameters)...}};
  auto result = run_scan<axis>(own);
  if constexpr (std::same_as<typename Own::Output, std::tuple<>>) return std::move(result.first);
  else return result;
}
template <Axes axis, class F, class Start, class X, class... P,
          Mistake M = ScanOf<axis, F, Start const&, X const&, P const&...>>
auto scan(F f, Start const& start, X const& xs, P const&... parameters) -> M;

}  // namespace tenon::internal::sequence

namespace tenon {

using internal::sequence::scan;

}  // namespace tenon
