#pragma once

// A test case for every op and every dtype that it accepts.

#include "cases.hpp"

#include <tenon/op/list.hpp>

namespace onnx_cases {

using internal::Elementwise;

template <class T>
struct UnaryInputs {
  Tensor<T, "n"> x;
};
template <class T>
struct BinaryInputs {
  Tensor<T, "n"> x;
  Tensor<T, "n"> y;
};

template <class T>
std::string case_name(std::string_view op) {
  return "op_" + std::string(op) + "_" + std::string(internal::dtype_name<T>);
}

template <class Op, class... T>
concept Accepts = requires(T... x) { Op::f(x...); };

/// Ops whose value at these numbers is finite, and that have a form in ONNX.
template <class Op>
inline constexpr bool has_form =
    !std::same_as<Op, op::TwoOverPi> && !std::same_as<Op, op::Gaussian>;

/// The value of an op by its function of one element, entered into a trace as an expression is: a
/// kernel for every op and dtype would take most of the time of compilation.
template <class Op, class T, class... More>
auto mapped(Tensor<T, "n"> const& x, More const&... more) {
  using Result = std::remove_cvref_t<decltype(Op::f(*x.data(), *more.data()...))>;
  auto y = Tensor<Result, "n">::uninitialised(x.sizes());
  y.set_elements([&](Result* to) {
    for (std::int64_t i = 0; i < x.size(); ++i)
      to[i] = Op::f(internal::host_elements(x)[i], internal::host_elements(more)[i]...);
  });
  if (internal::tracing::is_on())
    y.set_mark(
        internal::tracing::mark_of_copy(Elementwise<Op, Tensor<T, "n">, More...>(x, more...)));
  return y;
}

template <class Op, class T>
void save_unary() {
  using X = Tensor<T, "n">;
  if constexpr (Accepts<Op, T>)
    save_function<X>(
        case_name<T>(Op::name), [](X const& x) { return mapped<Op>(x); },
        UnaryInputs<T>{numbers<X>(1, 4)}, UnaryInputs<T>{numbers<X>(2, 9)});
}
template <class Op, class T>
void save_binary() {
  using X = Tensor<T, "n">;
  if constexpr (Accepts<Op, T, T>)
    save_function<X, X>(
        case_name<T>(Op::name), [](X const& x, X const& y) { return mapped<Op>(x, y); },
        BinaryInputs<T>{numbers<X>(1, 4), numbers<X>(2, 4)},
        BinaryInputs<T>{numbers<X>(3, 9), numbers<X>(4, 9)});
}

}  // namespace onnx_cases
