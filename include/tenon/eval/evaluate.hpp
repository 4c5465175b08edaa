#pragma once

#include <type_traits>

#include <tenon/eval/backend.hpp>
#include <tenon/eval/contract/contraction.hpp>
#include <tenon/eval/contract/reduced_product.hpp>
#include <tenon/eval/graph/columns.hpp>
#include <tenon/eval/inline/element.hpp>
#include <tenon/eval/inline/record.hpp>
#include <tenon/eval/kernel.hpp>
#include <tenon/eval/materialize.hpp>
#include <tenon/eval/tape/tape.hpp>
#include <tenon/eval/tracing/node.hpp>
#include <tenon/expr/stored_operand.hpp>
#include <tenon/ir/fusion.hpp>
#include <tenon/ir/packing.hpp>
#include <tenon/ir/rounded.hpp>

namespace tenon::internal {

/// One element, rounded to the dtype of the tensor.
template <class E>
constexpr auto rounded_element(E const& e, ElementIndex const& index) {
  if constexpr (is_rounded<E>) return element(rounded(e), index);
  else return element(e, index);
}

/// Element by element; usable in constant evaluation.
template <TensorType R, class E>
constexpr R evaluate_by_element(E const& e) {
  R result = R::uninitialised(e.sizes());
  auto* to = result.own_memory();
  ElementIndex index{};
  Sizes const sizes = e.sizes();
  for (std::int64_t i = 0; i < result.size(); ++i) {
    to[i] = rounded_element(e, index);
    next(index, sizes, E::shape.rank);
  }
  return result;
}

/// The value of a materialized expression, computed by one kernel. `is_whole`: it is the whole
/// expression to evaluate, not a subexpression, so it may become a node of the graph of
/// derivatives.
template <bool is_whole, TensorType R, class E>
TENON_INLINE inline R run_kernel(E const& e, R const* spare) {
  if constexpr (TensorType<E>) return relabelled<R>(e);
  else if constexpr (HostKernelExpression<E>)
    return run_host_kernel<R>(&e, host_kernel<E, is_whole>, e.sizes(),
                              owns_what_it_reads<E> ? spare : nullptr);
  else return run_other_kernel<is_whole, R>(e, spare);
}

template <TensorType R, class E>
R run_product(E const& e) {
  R result = unrecorded_kernel<R>(e);
  result.set_mark(recorded<ProductStep<E>>(e));
  return result;
}

/// Memory for a contraction that is read while the result is written: that of the result, unless
/// the contraction is used later.
template <TensorType P, TensorType R, class E>
P product_value(R const& result, E const& e) {
  if constexpr (!P::holds_elements && !R::holds_elements &&
                std::same_as<typename P::value_type, typename R::value_type>) {
    if (!depends_on_recording(e)) return P::adopt(result.storage().buffer, host_of(e).sizes());
  }
  return P::uninitialised(host_of(e).sizes());
}

/// The value of maps over a contraction: one kernel that runs panel by panel.
template <TensorType R, class E>
R run_epilogue(E const& e) {
  auto const& product = host_of(e);
  using P = TensorOf<decltype(product)>;
  R result = with_error_context(e, [&] { return R::uninitialised(e.sizes()); });
  P value = with_error_context(product, [&] { return product_value<P>(result, e); });
  auto* const memory = const_cast<typename P::value_type*>(value.data());
  MemoryAccess const out =
      access_to_result(result, const_cast<typename R::value_type*>(result.data()));
  value.set_mark(recorded<ProductStep<Unqualified<decltype(product)>>>(product));
  auto const rest = materialized(with_host(e, value));
  std::int64_t const started = Observer::start();
  with_error_context(e, [&] {
    BackendOf<typename E::device>::contract_with_epilogue(product, memory, rest, out);
  });
  if (started != 0) [[unlikely]]
    tell_result<R>(node_of(e), result.sizes(), result.data(), started);
  ++kernels_run;
  result.set_mark(recorded<KernelStep<Unqualified<decltype(rest)>>>(rest));
  return result;
}

/// An inline contraction is copied into the expression: it is computed first.
template <class E>
concept FusesEpilogue =
    Epilogue<E> && !TensorOf<decltype(host_of(std::declval<E const&>()))>::holds_elements;

/// A reduction of a contraction that is computed with it.
template <class E>
concept ReducesProduct = reduces_host<E> && BackendOf<typename E::device>::reduces_products &&
                         !TensorOf<decltype(host_of(operand_at<0>(
                             host_reduction(std::declval<E const&>()))))>::holds_elements;

/// The value of a reduction of a contraction over its last axis.
template <TensorType R, class E>
R run_row_reduction(E const& e) {
  auto const& product = host_of(operand_at<0>(host_reduction(e)));
  using P = TensorOf<decltype(product)>;
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(typename P::value_type));
  R result = with_error_context(e, [&] { return R::uninitialised(e.sizes()); });
  Sizes const sizes = product.sizes();
  std::int64_t const columns = at(sizes, P::rank - 1), rows = count(sizes, P::rank - 1);
  std::int64_t const kept = depends_on_recording(product)
                                ? rows
                                : (std::min)(rows, RowsOfProduct::at_once(columns * bytes));
  SharedBuffer const memory(static_cast<std::size_t>(kept * columns * bytes));
  P value = P::adopt(memory, sizes);
  value.set_mark(recorded<ProductStep<Unqualified<decltype(product)>>>(product));
  auto const rest = materialized(with_reduced_host(e, value));
  with_error_context(e, [&] {
    run_plan_with_reduction<BackendOf<typename E::device>>(
        product, {memory.as<std::byte>(), (std::max)(kept, std::int64_t{1}), columns * bytes}, rows,
        rest, access_to_result(result, const_cast<typename R::value_type*>(result.data())));
  });
  result.set_mark(recorded<KernelStep<Unqualified<decltype(rest)>>>(rest));
  return result;
}

/// The value of a reduction of a contraction, in its kernel: each row is reduced to a number, and
/// then, where the reduction is over more axes than the last, these numbers.
template <TensorType R, class E>
R run_reduction_of_product(E const& e) {
  auto const& all = host_reduction(e);
  if constexpr (reduced_axes<Unqualified<decltype(all)>> == 1) {
    std::int64_t const started = Observer::start();
    R result = run_row_reduction<R>(e);
    if (started != 0) [[unlikely]]
      tell_result<R>(node_of(e), result.sizes(), result.data(), started);
    ++kernels_run;
    return result;
  } else {
    auto const rows = reduction_of_rows(all);
    auto const numbers = run_row_reduction<TensorOf<decltype(rows)>>(rows);
    return run_kernel<false, R>(materialized(with_reduction(e, rebuilt(all, numbers))), nullptr);
  }
}

/// The value of an expression, in as few kernels as possible. (A materialized one is not copied: a
/// copy would increment the reference counts of its buffers.)
template <TensorType R, class E>
R evaluate_parts(E const& e, R const* spare) {
  if constexpr (is_recordable<E>)
    if (joins_graph(e)) [[unlikely]]
      return value_in_graph<R>(e);
  if constexpr (is_contract<E>) return run_product<R>(e);
  else if constexpr (FusesEpilogue<E>) return run_epilogue<R>(e);
  else if constexpr (ReducesProduct<E>) return run_reduction_of_product<R>(e);
  else return run_kernel<false, R>(materialized(e), spare);
}

template <TensorType R, class E>
TENON_INLINE inline R evaluate_now(E const& e, R const* spare = nullptr) {
  if constexpr (is_materialized<E> && !FusesEpilogue<E> && !packs_tensors<E>)
    return run_kernel<true, R>(e, spare);
  else return evaluate_parts<R>(e, spare);
}

/// The value of a small expression.
template <TensorType R, class E>
TENON_INLINE inline R evaluate_small(E const& e) {
  if constexpr (FillsInline<R, E>) return evaluate_unrolled<R>(e);
  else if constexpr (is_contract<E>) return evaluate_now<R>(e);
  else if constexpr (fills_materialized<R, E>) return evaluate_unrolled<R>(e);
  else return evaluate_now<R>(materialized(e, EvaluateInlineReductions<true>()));
}

/// The value of `e` as an `R`, whose axes agree with those of `e`. Run-time sizes are checked;
/// throws `ShapeError`. `spare` is a tensor that is about to be overwritten, or null.
template <TensorType R, class E>
TENON_INLINE constexpr R evaluate_as(std::type_identity<R>, E const& e, R const* spare = nullptr) {
  // (The builtin: at -O0, g++ calls the library's function, and compiles the code of both
  // branches.)
  if constexpr (R::holds_elements) {
    if (__builtin_is_constant_evaluated()) return evaluate_by_element<R>(e);
  }
  if constexpr (TensorType<E>) return relabelled<R>(e);
  else if constexpr (is_rounded<E>) return evaluate_as(std::type_identity<R>(), rounded(e), spare);
  else if constexpr (R::holds_elements && is_small<E>) return evaluate_small<R>(e);
  else return evaluate_now<R>(e, spare);
}

/// Materializes an expression; returns tensors unchanged. PyTorch is always eager.
template <Expression E>
TENON_INLINE constexpr TensorOf<E> evaluate_expression(E const& e) {
  if constexpr (TensorType<E>) return e;
  else return evaluate_as(std::type_identity<TensorOf<E>>{}, e);
}

/// The value of a named expression (an lvalue): evaluated once, and cached in its node.
template <Expression E>
constexpr TensorOf<E> cached(E const& e) {
  if (__builtin_is_constant_evaluated()) return evaluate_expression(e);
  if constexpr (!remembers<E>) return evaluate_expression(e);
  else return e.cached_value_.template get<TensorOf<E>>([&] { return evaluate_expression(e); });
}

/// The value of `x` as an `R`; a named expression over a contraction is evaluated once.
template <TensorType R, Expression X>
TENON_INLINE constexpr R evaluate_once_as(std::type_identity<R> type, X&& x,
                                          R const* spare = nullptr) {
  if constexpr (std::same_as<StoredOperand<X&&>, Unqualified<X>>)
    return evaluate_as(type, x, spare);
  else return relabelled<R>(cached(x));
}

/// The value of an expression as a tensor of its dtype and axes, computed in as few kernels as
/// possible; a tensor is returned unchanged. Throws `ShapeError` where run-time sizes do not fit.
/// Eigen: `x.eval()`.
template <Expression X>
TENON_INLINE constexpr TensorOf<X> eval(X&& x) {
  return evaluate_once_as(std::type_identity<TensorOf<X>>{}, std::forward<X>(x));
}
template <class X>
  requires Dispatches<Named<"eval">, X const&>
auto eval(X const& x) {
  return Dispatch<Named<"eval">, X const&>::of(x);
}
template <class X, class R = Refused<Named<"eval">, X>>
auto eval(X const&) -> R;

/// The value of an expression; any other tree unchanged.
template <class X>
constexpr auto as_value(X&& x) {
  if constexpr (Expression<X>) return eval(std::forward<X>(x));
  else return Unqualified<X>(std::forward<X>(x));
}

/// One element of an expression: computed alone where that is cheap, otherwise the whole value is
/// cached. Throws `Error` for recorded values.
template <Expression E>
constexpr auto access(E const& e, ElementIndex const& index) {
  if (!__builtin_is_constant_evaluated() && tracing::is_on()) tracing::check_expression_read(e);
  if constexpr (AdjointType<typename E::value_type> && may_be_recorded<E>) {
    if (!__builtin_is_constant_evaluated() && depends_on_recording(e)) refuse_read();
  }
  if constexpr (is_heavy<E>) {
    if (!__builtin_is_constant_evaluated()) return element(cached(e), index);
  }
  return rounded_element(e, index);
}

}  // namespace tenon::internal

namespace tenon {

using internal::eval;

}  // namespace tenon
