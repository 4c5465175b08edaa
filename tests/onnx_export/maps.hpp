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

template <class Op, class T>
void save_unary() {
  using X = Tensor<T, "n">;
  if constexpr (Accepts<Op, T>)
    save_case(
        case_name<T>(Op::name), [](X const& x) { return eval(Elementwise<Op, X>(x)); },
        UnaryInputs<T>{numbers<X>(1, 4)}, UnaryInputs<T>{numbers<X>(2, 9)});
}
template <class Op, class T>
void save_binary() {
  using X = Tensor<T, "n">;
  if constexpr (Accepts<Op, T, T>)
    save_case(
        case_name<T>(Op::name),
        [](X const& x, X const& y) { return eval(Elementwise<Op, X, X>(x, y)); },
        BinaryInputs<T>{numbers<X>(1, 4), numbers<X>(2, 4)},
        BinaryInputs<T>{numbers<X>(3, 9), numbers<X>(4, 9)});
}

}  // namespace onnx_cases
