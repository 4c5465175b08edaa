#pragma once

// Reductions over leading and middle axes, which devices compute in interleaved chunks of columns,
// and views whose contiguous axis is not their last one; as values of the suite.

#include <limits>

#include "numbers.hpp"
#include "suite/forward_device.hpp"
#include "suite/values.hpp"

namespace columns {

using namespace tenon;

/// With NaN in the first and in the last row, if there are several.
inline Tensor<float, "n m"> with_nan(Tensor<float, "n m"> x) {
  std::int64_t const count = x.size(), rows = x.sizes()[0];
  if (rows < 2) return x;
  x.mutable_data()[1] = x.mutable_data()[count - 1] = std::numeric_limits<float>::quiet_NaN();
  return x;
}

/// Columns of `length` elements; of a tensor with such sizes, of one with further axes, and of an
/// expression.
template <class D>
void add_length(suite::Values& values, std::int64_t length) {
  std::string const all = std::to_string(length);
  auto const x = numbers<Tensor<float, "n m">>(1, length, 5);
  auto const there = to<D>(x), broken = to<D>(with_nan(x));
  auto const weight = to<D>(numbers<Tensor<float, "n">>(3, length));
  auto const block = to<D>(numbers<Tensor<float, "a n m">>(2, 3, length, 5));
  values.add("sum " + all, 1e-5, sum<"n">(there + 3.0f));
  values.add("mean " + all, 1e-5, mean<"n">(there + 3.0f));
  values.add("max " + all, 0, max<"n">(there));
  values.add("max of NaN " + all, 0, max<"n">(broken));
  values.add("sum of NaN " + all, 1e-5, sum<"n">(broken + 3.0f));
  values.add("any " + all, 0, any<"n">(there > 2.05f));
  values.add("sum over a middle axis " + all, 1e-5, sum<"n">(block + 3.0f));
  values.add("sum over two axes " + all, 1e-5, sum<"a n">(block + 3.0f));
  values.add("sum of a product " + all, 1e-5, sum<"n">(there * weight + 9.0f));
  values.add("sum into a part " + all, 1e-5,
             concat<1>(sum<"n">(block + 3.0f), sum<"n">(block + 4.0f)));
}

/// Other dtypes, static sizes, and tensors without elements.
template <class D>
void add_others(suite::Values& values) {
  auto const whole = to<D>(numbers<Tensor<std::int32_t, "n m">>(4, 300, 6));
  auto const fixed = to<D>(numbers<Tensor<double, "n=260 m=7">>(5));
  values.add("sum of integers", 0, sum<"n">(whole));
  values.add("min of integers", 0, min<"n">(whole));
  values.add("sum of doubles", 1e-12, sum<"n">(fixed + 3.0));
  values.add("kept axis", 1e-12, sum<"n">(fixed + 3.0, keep));
  values.add("sum of few", 1e-5, sum<"n">(to<D>(numbers<Tensor<float16, "n m">>(5, 200, 3)) + 3));
  values.add("no rows", 0, sum<"n">(zeros<Tensor<float, "n m", D>>(0, 3)));
  values.add("no columns", 0, sum<"n">(zeros<Tensor<float, "n m", D>>(300, 0)));
}

/// On a device without gradients: fewer kernels are compiled.
template <class Own>
suite::Values sums(std::initializer_list<std::int64_t> lengths) {
  using D = suite::Forward<Own>;
  suite::Values values;
  for (std::int64_t const length : lengths) add_length<D>(values, length);
  add_others<D>(values);
  values.add("many columns", 1e-5,
             sum<"n">(to<D>(numbers<Tensor<float, "n m">>(6, 200, 5003)) + 3.0f));
  return values;
}

template <class D>
void expect_sums(std::initializer_list<std::int64_t> lengths) {
  suite::expect_as_reference(sums<D>(lengths), sums<Reference>(lengths));
}

/// Views whose contiguous axis is not the last axis of the result, of `n` times `m` elements.
template <class D>
void add_transposes(suite::Values& values, std::int64_t n, std::int64_t m) {
  std::string const all = " " + std::to_string(n) + " x " + std::to_string(m);
  auto const x = to<D>(numbers<Tensor<float, "n m">>(1, n, m));
  auto const bias = to<D>(numbers<Tensor<float, "n">>(2, n));
  auto const other = to<D>(numbers<Tensor<float, "m n">>(3, m, n));
  auto const block = to<D>(numbers<Tensor<float, "a n b m">>(4, 2, n, 3, m));
  values.add("transpose" + all, 0, transpose<"m n">(x));
  values.add("map of transpose" + all, 0, relu(transpose<"m n">(x) * 2.0f + other + bias));
  values.add("transpose of map" + all, 0, transpose<"m n">(x * 2.0f + 1.0f));
  values.add("transpose among axes" + all, 0, rearrange<"a n b m -> b m a n">(block));
  values.add("transpose of a slice" + all, 0, transpose<"m n">(slice<"m", 64>(x, m - 64)));
  values.add("transpose of a flip" + all, 0, transpose<"m n">(flip<"n">(x)));
  values.add("transpose into a part" + all, 0, concat<0>(transpose<"m n">(x), other));
  values.add("transpose of integers" + all, 0, transpose<"m n">(to<std::int8_t>(x)));
}

template <class Own>
suite::Values transposes() {
  using D = suite::Forward<Own>;
  suite::Values values;
  add_transposes<D>(values, 16, 64);
  add_transposes<D>(values, 131, 65);
  add_transposes<D>(values, 63, 127);
  add_transposes<D>(values, 15, 200);
  auto const fixed = to<D>(numbers<Tensor<double, "n=70 m=100">>(5));
  values.add("transpose of static sizes", 0, transpose<"m n">(fixed) + 1.0);
  return values;
}

template <class D>
void expect_transposes() {
  suite::expect_as_reference(transposes<D>(), transposes<Reference>());
}

}  // namespace columns
