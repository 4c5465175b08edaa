#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/core/call.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/multi_output.hpp>
#include <tenon/tensor/unfit.hpp>

/// Several results at once: `eval(a, b)`.
namespace tenon::internal {

struct EvalName {
  static constexpr std::string_view name = "eval";
};

/// The expression of an argument of `eval`: the argument itself, or the return type of a function
/// of the results before it.
template <class X, class... R>
struct ExpressionOf {};
template <class X, class... R>
  requires(!Expression<X> && CallableWith<X, R const&...>)
struct ExpressionOf<X, R...> {
  using type = CallResult<X, R const&...>;
};
template <Expression X, class... R>
struct ExpressionOf<X, R...> {
  using type = X;
};
template <class X, class... R>
concept HasExpression = requires { typename ExpressionOf<X, R...>::type; } &&
                        Expression<typename ExpressionOf<X, R...>::type>;

/// The expressions of all arguments, and their results. An lvalue is a reference.
template <class Expressions, class Results, class... X>
struct ExpressionsOf {};
template <class... E, class... R>
struct ExpressionsOf<Types<E...>, Types<R...>> {
  using expressions = Types<E...>;
  using results = std::tuple<R...>;
};
template <class... E, class... R, class X, class... Rest>
  requires HasExpression<X, R...>
struct ExpressionsOf<Types<E...>, Types<R...>, X, Rest...>
    : ExpressionsOf<Types<E..., typename ExpressionOf<X, R...>::type>,
                    Types<R..., TensorOf<typename ExpressionOf<X, R...>::type>>, Rest...> {};
template <class... X>
using Together = ExpressionsOf<Types<>, Types<>, X...>;

/// An expression whose elements are rounded once.
template <class E>
constexpr decltype(auto) round_once(E const& e) {
  if constexpr (is_rounded<E>) return rounded(e);
  else return (e);
}
template <class E>
using OnceRounded = Unqualified<decltype(round_once(std::declval<E const&>()))>;

/// Whether an expression can be an output of a kernel with several. That of a function may read
/// other outputs, at the same index.
template <bool is_of_function, class E>
inline constexpr bool joins_kernel = !TensorType<E> && !TensorOf<E>::holds_elements &&
                                     E::shape.rank > 0 && HostKernelExpression<OnceRounded<E>> &&
                                     (is_of_function ? traits_of<E>.are_mapped
                                                     : traits_of<E>.are_viewed);

/// Properties of the arguments of `eval`.
template <class Expressions, class... X>
struct OutputsTogether;
template <class First, class... E, class... X>
struct OutputsTogether<Types<First, E...>, X...> {
  static constexpr Shape const& shape = Unqualified<First>::shape;
  static constexpr bool fit =
      (assignable(shape, Unqualified<E>::shape) && ...) &&
      (std::same_as<typename Unqualified<First>::device, typename Unqualified<E>::device> && ...);
  template <class... All>
  static constexpr bool join = (joins_kernel<!Expression<X>, Unqualified<All>> && ...);
  /// Whether one kernel computes all.
  static constexpr bool is_one_kernel =
      fit && ((shape == Unqualified<E>::shape) && ...) && join<First, E...>;
  /// Whether results may have the memory of operands.
  static constexpr bool reuses_operands =
      (traits_of<Unqualified<First>> & ... & traits_of<Unqualified<E>>).are_mapped;

  /// The error of the first one that does not fit; `void` for none, as clang asks before it checks
  /// constraints.
  static constexpr std::type_identity<void> mistake(Types<>) { return {}; }
  template <class Next, class... Rest>
  static constexpr auto mistake(Types<Next, Rest...>) {
    using D = typename Unqualified<First>::device;
    using Other = typename Next::device;
    if constexpr (!std::same_as<D, Other>)
      return std::type_identity<
          error::devices_differ<spec_of_name<EvalName>, spec_of_name<D>, spec_of_name<Other>>>{};
    else if constexpr (!assignable(shape, Next::shape))
      return assignment_mistake<EvalName, Unqualified<First>, Next>();
    else return mistake(Types<Rest...>());
  }
  static constexpr auto first_mistake() { return mistake(Types<Unqualified<E>...>()); }
};
template <class... X>
using OutputsOfAll = OutputsTogether<typename Together<X...>::expressions, X...>;

template <class... X>
concept EvaluatesTogether = sizeof...(X) > 1 && requires { requires OutputsOfAll<X...>::fit; };
template <class... X>
concept RefusesTogether = sizeof...(X) > 1 && requires { requires !OutputsOfAll<X...>::fit; };

/// The error of arguments that do not fit. (Empty for others: clang substitutes the return types of
/// functions before it checks their constraints.)
template <class... X>
struct TogetherMistake {};
template <class... X>
  requires RefusesTogether<X...>
struct TogetherMistake<X...> {
  using type = typename decltype(OutputsOfAll<X...>::first_mistake())::type;
};

/// The layout of what has no handles.
inline constexpr ExpressionLayout no_places{};

/// A buffer of the last one of some expressions for which only they have handles; null if none is.
SharedBuffer const* unshared_buffer(HandleHolder const* holders, std::size_t count);

/// The kernel of an output, which is recorded when its result is made.
template <class E>
inline constexpr HostKernel output_kernel{nullptr, &node_type<E>};
template <class E>
  requires is_recordable<E>
inline constexpr HostKernel output_kernel<E>{nullptr, &node_type<E>, &KernelStep<E>::backward,
                                             &expression_layout<E>, true};

/// The mark of the value of an expression that is not computed node by node.
TapeMark mark_of_value(void const* expression, HostKernel const& kernel);

/// The value of an expression while a graph is open.
template <TensorType R>
[[gnu::cold, gnu::noinline]] R value_beside_graph(void const* expression,
                                                  HostKernel const& kernel) {
  R result = graph::value_of<R>({*kernel.type, expression});
  if (!depends_on_recording(expression, *kernel.layout)) result.set_mark({});
  return result;
}

/// A result whose kernel runs later, already recorded. Its memory is new, or that of an operand for
/// which only `holders` have handles: expressions that are not used again, this one the last. One
/// function for all expressions of a result.
template <TensorType R>
R pending_result(void const* expression, HostKernel const& kernel, Sizes const& sizes,
                 HandleHolder const* holders, std::size_t count) {
  if (graph::is_open()) return value_beside_graph<R>(expression, kernel);
  TapeMark const mark = mark_of_value(expression, kernel);
  SharedBuffer const* const unshared = unshared_buffer(holders, count);
  R result = unshared != nullptr ? R::adopt(*unshared, sizes) : R::uninitialised(sizes);
  result.set_mark(mark);
  return result;
}

/// An expression and its result. `is_last_use`: it is not evaluated again.
template <class E, TensorType R, bool is_last_use>
struct PendingOutput {
  E const& expression;
  R& result;

  OutputOf<E> output() const {
    return {expression, const_cast<typename R::value_type*>(stored_elements(result))};
  }
  HandleHolder holder() const {
    if constexpr (is_last_use) return {&expression, &expression_layout<E>};
    else return {nullptr, &no_places};
  }
};

/// Runs the kernel of several results; `e` is one of their expressions.
template <class E, class... P>
void run_together(E const& e, P const&... pending) {
  if (graph::is_open()) return;
  ++kernels_run;
  std::int64_t const started = Observer::start();
  BackendOf<typename E::device>::fill_together(pending.output()...);
  if (started != 0) [[unlikely]] {
    ObservedValue const values[] = {observed_value<Unqualified<decltype(pending.result)>>(
        pending.result.sizes(), stored_elements(pending.result))...};
    Observer::tell({node_of(e), E::device::name, false, started, 0, values});
  }
}

/// The expression of an argument, after the results before it.
template <class X, class... P>
constexpr decltype(auto) expression_after(X&& x, P const&... earlier) {
  if constexpr (Expression<X>) return static_cast<X&&>(x);
  else return static_cast<X&&>(x)(std::as_const(earlier.result)...);
}

/// Throws `ShapeError` where the sizes are not those of the first result.
template <class E>
constexpr void check_sizes_together(E const&) {}
template <class E, class First, class... P>
constexpr void check_sizes_together(E const& e, First const& first, P const&...) {
  Sizes const own = e.sizes(), sizes = first.result.sizes();
  for (int i = 0; i < E::shape.rank; ++i)
    if (at(own, i) != at(sizes, i))
      sizes_differ(EvalName::name, spec_of<E>.view(), i, at(sizes, i), at(own, i));
}

/// `finish` of all results, after those of `P`.
template <bool is_one_kernel, bool reuses_operands, class... P>
struct ResultsAfter {
  template <class Finish, class X, class... Rest>
  static constexpr auto of(Finish const& finish, P const&... earlier, X&& x, Rest&&... rest) {
    decltype(auto) made = expression_after(static_cast<X&&>(x), earlier...);
    using Made = decltype(made);
    using E = Unqualified<Made>;
    check_sizes_together(made, earlier...);
    if constexpr (!is_one_kernel) {
      TensorOf<E> result = eval(static_cast<Made&&>(made));
      return go_on(finish, earlier..., PendingOutput<E, TensorOf<E>, false>{made, result},
                   static_cast<Rest&&>(rest)...);
    } else {
      if constexpr (!Expression<X>) tracing::refuse_while_on("eval of a function");
      constexpr bool is_last_use = reuses_operands && !std::is_lvalue_reference_v<Made>;
      return pending<is_last_use, TensorOf<E>>(finish, earlier..., round_once(made),
                                               static_cast<Rest&&>(rest)...);
    }
  }

 private:
  template <bool is_last_use, TensorType R, class Finish, class E, class... Rest>
  static auto pending(Finish const& finish, P const&... earlier, E const& e, Rest&&... rest) {
    HandleHolder const holders[] = {earlier.holder()..., {&e, &expression_layout<E>}};
    constexpr bool reuses = is_last_use && traits_of<E>.are_alike;
    R result = [&] {
      if constexpr (!is_recordable<E>)
        if (graph::is_open()) return evaluate_as(std::type_identity<R>(), e);
      return pending_result<R>(&e, output_kernel<E>, e.sizes(), holders,
                               reuses ? sizeof...(P) + 1 : 0);
    }();
    return go_on(finish, earlier..., PendingOutput<E, R, is_last_use>{e, result},
                 static_cast<Rest&&>(rest)...);
  }

  template <class Finish, class Now, class... Rest>
  static constexpr auto go_on(Finish const& finish, P const&... earlier, Now const& now,
                              Rest&&... rest) {
    if constexpr (sizeof...(Rest) > 0) {
      return ResultsAfter<is_one_kernel, reuses_operands, P..., Now>::of(
          finish, earlier..., now, static_cast<Rest&&>(rest)...);
    } else {
      if constexpr (is_one_kernel) run_together(now.expression, earlier..., now);
      return finish(earlier.result..., now.result);
    }
  }
};

/// `finish` of the results of all arguments.
template <class Finish, class... X>
constexpr auto evaluate_together(Finish const& finish, X&&... x) {
  using All = OutputsOfAll<X...>;
  return ResultsAfter<All::is_one_kernel, All::reuses_operands>::of(finish, static_cast<X&&>(x)...);
}

/// The values of several expressions whose axes agree, a tuple of tensors, as `eval` of each in
/// order, in one pass over their operands where all are elementwise. An argument may also be a
/// function of the results before it that returns an expression: `eval(a + b, [&](auto const& sum)
/// { return sum / c; })`. An operand that nothing else holds, `std::move(x)`, may give its memory
/// to a result. Throws `ShapeError` where run-time sizes differ. JAX: `jit` of a function with
/// several results.
template <class... X>
  requires EvaluatesTogether<X...>
constexpr typename Together<X...>::results eval(X&&... x) {
  constexpr auto finish = [](auto&... results) {
    return typename Together<X...>::results(std::move(results)...);
  };
  return evaluate_together(finish, static_cast<X&&>(x)...);
}
template <class... X>
  requires RefusesTogether<X...>
auto eval(X&&...) -> typename TogetherMistake<X...>::type;

}  // namespace tenon::internal

namespace tenon {

using internal::eval;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME TapeMark mark_of_value(void const* expression, HostKernel const& kernel) {
  if (tracing::is_on()) [[unlikely]]
    return tracing::evaluated(expression, *kernel.type);
  if (kernel.backward == nullptr || !depends_on_recording(expression, *kernel.layout)) return {};
  return Tape::current()->record_expression(expression, *kernel.layout, kernel.backward);
}

[[gnu::noinline]] TENON_RUNTIME SharedBuffer const* unshared_buffer(HandleHolder const* holders,
                                                                    std::size_t count) {
  if (count == 0) return nullptr;
  HandleHolder const& last = holders[count - 1];
  for (std::uint32_t k = 0; k < last.count(); ++k) {
    std::int32_t handles = 0;
    for (std::size_t i = 0; i < count; ++i)
      for (std::uint32_t j = 0; j < holders[i].count(); ++j)
        handles += holders[i][j] == last[k] ? 1 : 0;
    if (last[k].is_spare(handles)) return &last[k];
  }
  return nullptr;
}

}  // namespace tenon::internal

#endif
