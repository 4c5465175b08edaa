#pragma once

// Expressions of every kind, for tests that print kernels and tests that run them on a device:
// `add` takes a label, a relative error and an expression.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include "numbers.hpp"

namespace recipes {

using namespace tenon;
using namespace tenon::internal;

inline constexpr std::int64_t rows = 3, columns = 150;  // above a block of a sum

/// The operands of all expressions, on a device.
template <class D>
struct Inputs {
  Tensor<float, "n k", D> x = filled<float, "n k">(1, rows, columns);
  Tensor<float, "n k", D> y = filled<float, "n k">(2, rows, columns);
  Tensor<float, "k", D> bias = filled<float, "k">(3, columns);
  Tensor<float, "k m=3", D> w = filled<float, "k m=3">(4, columns);
  Tensor<float, "m=3", D> b = filled<float, "m=3">(5);
  Tensor<float, "r=4 c=5", D> small = filled<float, "r=4 c=5">(6);
  Tensor<float, "p=2 q=3 r=4", D> cube = filled<float, "p=2 q=3 r=4">(10);
  Tensor<float, "n s", D> brief = filled<float, "n s">(11, rows, 40);
  Tensor<float, "s", D> gain = filled<float, "s">(12, 40);
  Tensor<double, "n k", D> wide = filled<double, "n k">(7, rows, columns);
  Tensor<std::int32_t, "n k", D> i = filled<std::int32_t, "n k">(8, rows, columns);
  Tensor<std::int32_t, "n k", D> j = filled<std::int32_t, "n k">(9, rows, columns);
  Tensor<std::int32_t, "n", D> labels = iota<Tensor<std::int32_t, "n", D>>(rows);
  Tensor<std::int32_t, "n k", D> order =
      to<D>(argsort<"k">(numbers<Tensor<float, "n k">>(2, rows, columns)));
  Tensor<bool, "n k", D> mask = x > y;

  template <class T, Spec S, class... I>
  static Tensor<T, S, D> filled(int seed, I... sizes) {
    return to<D>(numbers<Tensor<T, S>>(seed, sizes...));
  }
};

template <class Cases, class D>
void add_maps(Cases& cases, Inputs<D> const& t) {
  cases.add("relu(a * b + c)", 1e-6, relu(t.x * t.y + t.bias));
  cases.add("where with comparisons", 0, where(t.x <= t.y, t.x, where(t.mask, -t.y, t.bias)));
  cases.add("integers wrap around without traps", 0, floor_divide(t.i, t.j) + t.i * t.i - abs(t.j));
  cases.add("casts to integers", 0, to<std::int8_t>(t.x * 100.0f) < to<std::int8_t>(t.i));
  cases.add("casts from integers and masks", 1e-6,
            to<double>(t.i) + to<double>(to<std::uint64_t>(t.wide)) + to<double>(t.mask));
  cases.add("overlapping slices", 0, slice<"c", 1, 4>(t.small) + slice<"c", 2, 5>(t.small));
  cases.add("slices of equal run-time sizes", 0, max(transpose(slice<"k", 20>(t.x, 3)), 0.5f));
  cases.add("take", 0, take<"n">(t.x, t.labels) * t.x);
  cases.add("take_along", 0, take_along<"k">(t.x, t.order) + t.x);
  cases.add("reversed", 0, flip<"k">(t.x) * t.x);
  cases.add("reversed along static axes", 0, flip<"r">(t.small) * t.small);
  cases.add("pick", 0, pick<"k">(t.x, t.labels));
}

template <class Cases, class D>
void add_integers(Cases& cases, Inputs<D> const& t) {
  Tensor<std::int32_t, "n k", D> const small = map<op::Mod>(t.j, 40);
  op::for_each(op::IntegerBinary{},
               [&]<class Op> { cases.add(std::string(Op::name), 0, map<Op>(t.i, small)); });
}

template <class Cases, class D>
void add_reductions(Cases& cases, Inputs<D> const& t) {
  // Few or short rows: reading one element recomputes the maximum for each term of the sum.
  cases.add("softmax", 1e-5, softmax<"s">(t.brief));
  cases.add("softmax of one long row", 1e-5, softmax<"k">(t.bias));
  cases.add("softmax of a slice", 1e-5, softmax<-1>(slice<"k", 20>(t.x, 3)));
  cases.add("layer norm", 1e-5,
            (t.brief - mean<"s">(t.brief, keep)) * rsqrt(var<"s">(t.brief, keep) + 1e-5f) * t.gain +
                t.gain);
  cases.add("log-sum-exp", 1e-6, logsumexp<"s">(t.brief));
  cases.add("a transposed sum", 1e-5, sum<"n">(transpose<"n k">(t.x * t.y)));
  cases.add("a sum over columns", 1e-5, sum<"n">(t.x * t.x));
  cases.add("a sum over columns of a softmax", 1e-5, sum<"n">(softmax<"s">(t.brief)));
  cases.add("a softmax, transposed", 1e-5, transpose<"n s">(softmax<"s">(t.brief)));
  cases.add("a product over all axes", 1e-4, prod<"k">(t.x * 0.1f + 1.0f));
  cases.add("argmax", 0, argmax<"k">(t.x));
  cases.add("argmin over columns", 0, argmin<"n">(t.x));
  cases.add(
      "any, all, a sum of integers", 0,
      where(any<"k">(t.mask) && !all<"k">(t.mask), sum<"k">(t.i), to<std::int64_t>(max<"k">(t.j))));
  cases.add("a sum over the first and the last axis, kept", 1e-5,
            t.cube - sum<"p r">(t.cube, keep));
  cases.add("an empty tensor, and its sum", 0, sum<"k">(zeros<Tensor<float, "n k", D>>(2, 0)));
  cases.add("a mean over all axes", 1e-4, t.wide - mean(t.wide));
}

template <class Cases, class D>
void add_products(Cases& cases, Inputs<D> const& t) {
  cases.add("a matmul with its epilogue", 1e-4, relu(matmul(t.x, t.w) + t.b));
  cases.add("a matmul of two transposed operands", 1e-4,
            matmul(transpose<"k m">(t.w), transpose<"n k">(t.x)));
  cases.add("a softmax of a matmul", 1e-4, softmax<"m">(matmul(t.x, t.w) * 0.1f));
}

/// Limits of a floating dtype, and angles of every magnitude.
template <class T, class D>
Tensor<T, "n", D> edges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all{Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                     Limits::max(),      Limits::min(),       Limits::denorm_min()};
  for (double x : {0.0, -0.0, 1.0, 0.5, 2.5, 1e-5, 100.0, -1e4, 1e10, -1e30})
    all.push_back(static_cast<T>(x));
  for (int i = -40; i < 40; ++i) all.push_back(static_cast<T>(i * 0.37));
  return Tensor<T, "n", D>(std::span<T const>(all), static_cast<std::int64_t>(all.size()));
}

/// The compiler of this program may contract a * b + c where the C compiler does not.
template <class T, class D, class Cases, class... Ops>
void add_ops(Cases& cases, op::List<Ops...> ops) {
  auto const x = edges<T, D>();
  double const rounding = 8 * double(std::numeric_limits<T>::epsilon());
  op::for_each(ops, [&]<class Op> {
    std::string const claim = std::string(Op::name).append(" of ").append(dtype_name<T>);
    if constexpr (requires { map<Op>(x, x); }) cases.add(claim, rounding, map<Op>(x, T(1.5)));
    else cases.add(claim, rounding, map<Op>(x));
  });
}

template <class D, class Cases>
void add_all(Cases& cases, Inputs<D> const& inputs) {
  add_maps(cases, inputs);
  add_integers(cases, inputs);
  add_reductions(cases, inputs);
  add_products(cases, inputs);
}

}  // namespace recipes
