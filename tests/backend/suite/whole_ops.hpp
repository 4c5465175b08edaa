#pragma once

// Functions that devices may delegate to the host, random numbers, the 16-bit dtypes, complex
// numbers.

#include "../numbers.hpp"
#include "forward_device.hpp"
#include "values.hpp"

#include <tenon/tensor/complex.hpp>

namespace suite {

using namespace tenon::internal;

template <class D>
void add_lines(Values& values) {
  auto const x = to<D>(numbers<Tensor<float, "n m=7">>(1, 6));
  auto const i = to<D>(numbers<Tensor<std::int32_t, "n m=7">>(2, 6));
  values.add("cumsum", 1e-6, cumsum<"n">(x));
  values.add("cumsum of integers", 0, cumsum<"m">(i));
  values.add("cumprod", 1e-6, cumprod<"m">(x));
  values.add("sort", 0, sort<"m">(x));
  values.add("argsort", 0, argsort<"n">(x, descending));
  values.add("topk", 0, topk<"m", 3>(x).values);
  values.add("max_pool", 0, max_pool<"n m", 2>(x));
  values.add("positions of max_pool", 0, max_pool_with_indices<"m", 2>(x).indices);
  values.add("avg_pool", 1e-6, avg_pool<"n", 2>(x));
  values.add("set", 0, set<"m">(x, 2, 7.0f));
  values.add("set with slices", 0, set<"n">(x, Tensor<std::int32_t, "k=2", D>{4, 1}, x(0, 0)));
  auto y = x;
  assign(mutable_view(y), y * 2.0f);
  values.add("a view that was assigned to", 0, y);
  values.add("elements", 0, Tensor<float, "e=2", D>{x(1, 2), (x + x)(3, 4)});
}

template <class D>
void add_linalg(Values& values) {
  Tensor<double, "r=3 c=3", D> const a{{4, 1, 0.5}, {1, 3, -0.2}, {0.5, -0.2, 2}};
  auto const both = rename<"r -> n, c -> n">(a);
  values.add("inverse", 1e-12, tenon::linalg::inverse(a));
  values.add("solve", 1e-12, tenon::linalg::solve(a, rename<"r -> r, c -> k">(a) + 1.0));
  values.add("det", 1e-12, tenon::linalg::det(a));
  values.add("cholesky", 1e-12, tenon::linalg::cholesky(both));
  values.add("qr", 1e-10, abs(tenon::linalg::qr(a).r));
  values.add("svd", 1e-12, tenon::linalg::svd(a).s);
  values.add("eigh", 1e-12, tenon::linalg::eigh(both).values);
}

/// Draws have the same bits on every device; results of transcendental functions are close.
template <class D>
void add_random(Values& values) {
  Key const key(42);
  values.add("random bits", 0, random_bits<Tensor<std::uint32_t, "n", D>>(key, 1001));
  values.add("uniform", 0, uniform<Tensor<float, "n", D>>(key, 1001));
  values.add("uniform of double", 0, uniform<Tensor<double, "n", D>>(key, 101));
  values.add("uniform integers", 0, uniform<Tensor<std::int32_t, "n", D>>(key, -5, 90, 101));
  values.add("bernoulli", 0, bernoulli<Tensor<bool, "n", D>>(key, 0.3, 101));
  values.add("permutation", 0, permutation<Tensor<std::int32_t, "n", D>>(key, 101));
  values.add("normal", 1e-5, normal<Tensor<float, "n", D>>(key, 1001));
  auto const logits = to<D>(numbers<Tensor<float, "n m=7">>(3, 50));
  values.add("categorical", 0, categorical<"m">(key, logits));
}

template <class T, class D>
void add_halves(Values& values) {
  auto const x = to<T>(to<D>(numbers<Tensor<float, "n m=40">>(1, 12)));
  auto const y = to<T>(to<D>(numbers<Tensor<float, "n m=40">>(2, 12)) * 1e-5f);
  std::string const of = std::string(" of ").append(dtype_name<T>);
  values.add("maps" + of, 0, x * y + x - y);
  values.add("small and large values" + of, 0, y * 1e-3f + 1e5f * (x * x));
  values.add("reductions" + of, 0, sum<"m">(x) + max<"m">(x * x));
  values.add("slices" + of, 0, slice<"m", 3, 9>(x));
  values.add("parts" + of, 0, concat<0>(x, x * y));
  // A library sums in another order: after rounding, one unit in the last place.
  values.add("a product" + of, std::ldexp(1.0, 1 - T::digits), matmul(x, transpose<"m n">(x)));
}

/// Sums and products exceed the range of narrow integers, and casts to 16 bits round once.
template <class D>
void add_integers(Values& values) {
  auto const i = to<D>(numbers<Tensor<std::int32_t, "n m=40">>(2, 12));
  auto const narrow = to<std::int8_t>(i * 41);
  auto const low = to<std::int8_t>(i);
  auto const bytes = eval(to<std::uint8_t>(i * 41));
  values.add("sums of int8", 0, sum<"m">(narrow));
  values.add("sums of uint8", 0, sum<"n">(bytes) + sum(bytes));
  values.add("products of int8", 0, prod<"n">(low));
  Tensor<double, "e=4", D> const x{1 + 0x1p-11 + 0x1p-40, -1 - 0x1p-8 - 0x1p-40, 65519.9999999,
                                   3e-8};
  Tensor<std::int64_t, "e=4", D> const y{0x101'0000'0001, -0x101'0000'0001, 4098, INT64_MIN};
  Tensor<std::int32_t, "e=4", D> const z{0x1010001, -0x1010001, 2049, 0x1018000};
  values.add("doubles as float16", 0, to<float16>(x));
  values.add("doubles as bfloat16", 0, to<bfloat16>(x));
  values.add("64-bit integers as bfloat16", 0, to<bfloat16>(y));
  values.add("32-bit integers as bfloat16", 0, to<bfloat16>(z));
  values.add("integers as float16", 0, to<float16>(z));
}

template <class D>
void add_complex(Values& values) {
  using Pair = std::complex<float>;
  Tensor<Pair, "n=5", D> const z{Pair(1, 2), Pair(-1, 0.5f), Pair(0, 1), Pair(3, -2), Pair(2, 2)};
  values.add("complex numbers", 1e-6, z * z + z);
}

template <class D>
Values whole_ops() {
  Values values;
  add_lines<Forward<D>>(values);
  add_linalg<Forward<D>>(values);
  add_random<Forward<D>>(values);
  return values;
}

template <class D>
Values other_dtypes() {
  Values values;
  add_halves<float16, Forward<D>>(values);
  add_halves<bfloat16, Forward<D>>(values);
  add_integers<Forward<D>>(values);
  add_complex<Forward<D>>(values);
  return values;
}

Values const& expected_whole_ops();
Values const& expected_other_dtypes();

}  // namespace suite
