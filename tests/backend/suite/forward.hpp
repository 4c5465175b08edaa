#pragma once

// Elementwise maps, reductions, matmuls, views; NaN, infinities, empty tensors, and one element.

#include "../expressions.hpp"
#include "forward_device.hpp"
#include "values.hpp"

namespace suite {

/// Tensors without elements, and with one.
template <class D>
void add_few(Values& values) {
  auto const none = zeros<Tensor<float, "n m", D>>(0, 3);
  auto const one = full<Tensor<float, "n m", D>>(2.5f, 1, 1);
  values.add("a map of an empty tensor", 0, relu(none + 1.0f));
  values.add("a sum over an axis of size 0", 0, sum<"n">(none));
  values.add("a matmul over an axis of size 0", 0, matmul(transpose<"m n">(none), none));
  values.add("a concatenation of empty tensors", 0, concat<0>(none, none));
  values.add("one element", 1e-6, softmax<"m">(exp(one)));
  values.add("a matmul of one element", 1e-6, matmul(one, transpose<"m n">(one)));
}

/// Tensors that are concatenated, sliced and permuted.
template <class D>
void add_moves(Values& values) {
  auto const x = to<D>(numbers<Tensor<float, "n m=6">>(1, 5));
  auto const square_matrix = to<D>(numbers<Tensor<float, "r=5 c=5">>(2));
  values.add("concat", 0, concat<0>(x, x * 2.0f));
  values.add("stack", 0, stack<"layer">(x, x + 1.0f));
  values.add("pad", 0, pad<"m", 1, 2>(x, 7.0f));
  values.add("tril", 0, tril(square_matrix));
  values.add("trace", 1e-6, trace(square_matrix));
  values.add("roll", 0, roll<"m">(x, 2));
  values.add("window", 1e-6, sum<-1>(window<"m", 3>(x)));
  values.add("rearranged", 0, rearrange<"n (a=2 b) -> b n a">(x));
  values.add("one_hot", 0, one_hot<"k=6">(argmax<"m">(x)));
}

template <class D>
Values forward() {
  Values values;
  recipes::add_all(values, recipes::Inputs<Forward<D>>());
  add_few<Forward<D>>(values);
  add_moves<Forward<D>>(values);
  return values;
}

template <class D>
Values ops() {
  Values values;
  // Ops of each intrinsic of a dialect; their bodies have one text for all dialects.
  recipes::add_ops<float, Forward<D>>(
      values,
      op::List<op::Exp, op::Log, op::Sin, op::Sqrt, op::Floor, op::Round, op::Pow, op::IsNan>{});
  recipes::add_ops<double, Forward<D>>(values, op::List<op::Gelu, op::Sin, op::Pow, op::Floor>{});
  return values;
}

Values const& expected_forward();
Values const& expected_ops();

}  // namespace suite
