#pragma once

// A test case for every op and every dtype that it accepts.

#include <algorithm>
#include <limits>
#include <vector>

#include "cases.hpp"

#include <tenon/op/cast.hpp>
#include <tenon/op/list.hpp>
#include <tenon/op/more.hpp>

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

/// Numbers at which formulas differ: zeros, tiny, huge, infinite, NaN, at both sides of limits.
template <class T>
Tensor<T, "n"> edges() {
  std::vector<T> all;
  using L = std::numeric_limits<T>;
  if constexpr (std::floating_point<T>) {
    for (double const x : {0.0,
                           1e-45,
                           1e-38,
                           1e-20,
                           1e-8,
                           1e-4,
                           0.1,
                           0.5,
                           0.9999999,
                           1.0,
                           1.000488281251,
                           1.5,
                           2.5,
                           3.0,
                           5.0,
                           10.0,
                           15.0,
                           30.0,
                           88.5,
                           100.0,
                           127.9,
                           128.0,
                           255.5,
                           300.0,
                           709.5,
                           745.0,
                           1e6,
                           2147483647.0,
                           3e9,
                           9.3e18,
                           1.9e19,
                           1e38})
      all.push_back(static_cast<T>(x)), all.push_back(static_cast<T>(-x));
    for (T const x : {L::min(), L::denorm_min(), L::max(), L::infinity()})
      all.push_back(x), all.push_back(-x);
    all.push_back(L::quiet_NaN());
  } else {
    for (int const x : {0, 1, -1, 2, -2, 3, -3, 7, 8, 31, 32, 63, 64, 100})
      all.push_back(static_cast<T>(x));
    all.push_back(L::min()), all.push_back(L::max());
  }
  auto result = zeros<Tensor<T, "n">>(static_cast<std::int64_t>(all.size()));
  result.set_elements([&](T* to) { std::ranges::copy(all, to); });
  return result;
}
/// All pairs of them.
template <class T>
BinaryInputs<T> pairs() {
  auto const all = edges<T>();
  std::int64_t const n = all.size();
  BinaryInputs<T> of{zeros<Tensor<T, "n">>(n * n), zeros<Tensor<T, "n">>(n * n)};
  auto const fill = [&](Tensor<T, "n">& to, auto const& place) {
    to.set_elements([&](T* elements) {
      for (std::int64_t i = 0; i < n * n; ++i) elements[i] = internal::host_elements(all)[place(i)];
    });
  };
  fill(of.x, [n](std::int64_t i) { return i / n; });
  fill(of.y, [n](std::int64_t i) { return i % n; });
  return of;
}

template <class Op, class T>
void save_unary() {
  using X = Tensor<T, "n">;
  if constexpr (Accepts<Op, T>)
    save_function<X>(
        case_name<T>(Op::name), [](X const& x) { return mapped<Op>(x); },
        UnaryInputs<T>{numbers<X>(1, 4)}, UnaryInputs<T>{numbers<X>(2, 9)},
        UnaryInputs<T>{edges<T>()});
}
template <class Op, class T>
void save_binary() {
  using X = Tensor<T, "n">;
  if constexpr (Accepts<Op, T, T>)
    save_function<X, X>(
        case_name<T>(Op::name), [](X const& x, X const& y) { return mapped<Op>(x, y); },
        BinaryInputs<T>{numbers<X>(1, 4), numbers<X>(2, 4)},
        BinaryInputs<T>{numbers<X>(3, 9), numbers<X>(4, 9)}, pairs<T>());
}

/// A number in other dtypes, by name.
struct Casts {
  Int8<"n"> to_int8;
  Int32<"n"> to_int32;
  Int64<"n"> to_int64;
  UInt8<"n"> to_uint8;
  UInt16<"n"> to_uint16;
  UInt32<"n"> to_uint32;
  UInt64<"n"> to_uint64;
  Mask<"n"> to_bool;
  Float16<"n"> to_float16;
  Float32<"n"> to_float32;
};
template <class T>
void save_casts() {
  using X = Tensor<T, "n">;
  save_function<X>(
      case_name<T>("to"),
      [](X const& x) {
        return Casts{mapped<op::Cast<std::int8_t>>(x),   mapped<op::Cast<std::int32_t>>(x),
                     mapped<op::Cast<std::int64_t>>(x),  mapped<op::Cast<std::uint8_t>>(x),
                     mapped<op::Cast<std::uint16_t>>(x), mapped<op::Cast<std::uint32_t>>(x),
                     mapped<op::Cast<std::uint64_t>>(x), mapped<op::Cast<bool>>(x),
                     mapped<op::Cast<float16>>(x),       mapped<op::Cast<float>>(x)};
      },
      UnaryInputs<T>{numbers<X>(1, 4)}, UnaryInputs<T>{edges<T>()});
}

}  // namespace onnx_cases
