#include <doctest/doctest.h>

#include <tenon/testing.hpp>

#include "counting.hpp"

namespace moves_gradient_test {

using namespace tenon::internal;

namespace {

using namespace counting;

/// A scalar in which each element has a different weight.
template <class E>
auto weighed(E const& e) {
  using R = TensorOf<E>;
  R weights = R::uninitialised(e.sizes());
  auto* const to = weights.mutable_data();
  for (std::int64_t i = 0; i < weights.size(); ++i) to[i] = 1.0 + static_cast<double>(i % 7) / 4;
  return sum(e * e * weights);
}

TEST_CASE_TEMPLATE("gradients pass through transpose, slice and rename", D, Cpu, Reference) {
  auto const x = counted<Float64<"batch t=4 c=3", D>>(2) / 8.0;
  Float64<"batch t=4 c=3", D> const at = x;
  CHECK_GRADIENT([](auto const& v) { return weighed(transpose(v)); }, at);
  CHECK_GRADIENT([](auto const& v) { return weighed(transpose<"batch c">(v * v)); }, at);
  CHECK_GRADIENT([](auto const& v) { return weighed(slice<"t", 1, to_end>(v)); }, at);
  CHECK_GRADIENT([](auto const& v) { return weighed(slice<"t", 2>(v, 1)); }, at);
  CHECK_GRADIENT([](auto const& v) { return weighed(slice<"c">(exp(v), 1, 2)); }, at);
  CHECK_GRADIENT([](auto const& v) { return weighed(rename<"t -> key, c -> _">(v)); }, at);
  CHECK_GRADIENT([](auto const& v) { return weighed(as<"batch=2 t c=3">(v)); }, at);
  CHECK_GRADIENT(
      [](auto const& v) { return weighed(slice<"t", 1, to_end>(v) - slice<"t", 0, -1>(v)); }, at);
}

TEST_CASE_TEMPLATE("gradients pass through rearrange, reduce and repeat", D, Cpu, Reference) {
  Float64<"batch t=2 e=6", D> const x = counted<Float64<"batch t=2 e=6", D>>(2) / 8.0;
  CHECK_GRADIENT([](auto const& v) { return weighed(rearrange<"b t (h=2 d) -> b h t d">(v)); }, x);
  CHECK_GRADIENT([](auto const& v) { return weighed(rearrange<"b t e -> (e b) t">(v + v)); }, x);
  CHECK_GRADIENT([](auto const& v) { return weighed(rearrange<"b t e -> b (t e)">(v)); }, x);
  CHECK_GRADIENT([](auto const& v) { return weighed(reduce<"b t e -> e", op::mean>(v)); }, x);
  CHECK_GRADIENT([](auto const& v) { return weighed(reduce<"b t (h=3 d) -> d t", op::sum>(v)); },
                 x);
  CHECK_GRADIENT([](auto const& v) { return weighed(reduce<"b t e -> b", op::max>(v)); }, x);
  CHECK_GRADIENT([](auto const& v) { return weighed(repeat<"b t e -> b n=3 t e">(v)); }, x);
  CHECK_GRADIENT([](auto const& v) { return weighed(repeat<"b t e -> b (t n=2) e">(exp(v))); }, x);
}

TEST_CASE_TEMPLATE("gradients pass through views that are operands of matmuls", D, Cpu, Reference) {
  Float64<"n=2 t=3 e=4", D> const x = counted<Float64<"n=2 t=3 e=4", D>>() / 8.0;
  CHECK_GRADIENT([](auto const& v) { return weighed(matmul(v, transpose(v))); }, x);
  CHECK_GRADIENT(
      [](auto const& v) {
        auto const heads = rearrange<"n t (h=2 d) -> n h t d">(v);
        return weighed(matmul(heads, transpose(heads)));
      },
      x);
  CHECK_GRADIENT(
      [](auto const& v) {
        return weighed(matmul(slice<"t", 1, 3>(v), slice<"t", 0, 2>(transpose(v))));
      },
      x);
  CHECK_GRADIENT(
      [](auto const& v) {
        auto const column = reduce<"n t e -> e", op::sum>(v);
        return weighed(matmul(v, repeat<"e -> e m=2">(column)));
      },
      x);
  CHECK_GRADIENT(
      [](auto const& v) { return weighed(matmul(v, repeat<"n t e -> n e (t m=2)">(v))); }, x);
}

}  // namespace

}  // namespace moves_gradient_test
