#pragma once

#include <tenon/ir/describe.hpp>
#include <tenon/tensor/tracing.hpp>

/// The nodes of expressions in a trace.
namespace tenon::internal::tracing {

/// The mark of the value of an expression, whose own address does not escape.
template <class E>
[[gnu::cold, gnu::noinline]] TapeMark mark_of_copy(E e) {
  return Trace::current->evaluated(node_of(e));
}

/// Throws `Error` where an element of an expression depends on an input.
template <class E>
void check_expression_read(E const& e) {
  tracing::check_read(Trace::current->evaluated(node_of(e)));
}

/// The value of a type of call whose operands are tensors, computed by `compute`.
template <class F, class... X>
[[gnu::cold, gnu::noinline]] auto called(std::string_view name, Sizes const& sizes,
                                         std::span<std::int64_t const> numbers, F const& compute,
                                         X const&... x) {
  using R = std::remove_cvref_t<decltype(compute())>;
  std::array<Node, sizeof...(X)> const operands{node_of(x)...};
  TapeMark const mark = Trace::current->called({name, result_of<R>(sizes), operands, numbers, {}});
  Paused const paused;
  R result = compute();
  result.set_mark(mark);
  return result;
}

}  // namespace tenon::internal::tracing
