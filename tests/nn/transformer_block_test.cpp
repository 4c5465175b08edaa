#include "checks.hpp"

namespace transformer_block_test {

using namespace tenon;

namespace {

template <class T, class D>
using Layer = TransformerBlock<"embed=4", 2, "hidden=6", T, D>;

template <class T, class D, Spec S>
using X = Of<T, S, D>;

template <class Model, class E>
concept Takes = requires(Model const& layer, E const& x) { layer(x); };

}  // namespace

static_assert(std::same_as<decltype(Layer<float, Cpu>()(Float32<"b time embed=4">())),
                           Float32<"b time embed=4">>);
static_assert(!Takes<Layer<float, Cpu>, Float32<"batch t embed=6">>);
static_assert(!Takes<FeedForward<"embed=4", "hidden=6">, Float32<"batch hidden=6">>);

TEST_CASE_TEMPLATE("a feed-forward layer agrees with loops", D, Cpu, Reference) {
  auto const layer = checks::random_model<FeedForward<"embed=4", "hidden=6", double, D>>(1);
  auto const x = normal<X<double, D, "batch t embed=4">>(Key(2), 3, 2);
  checks::near(eval(layer(x)), naive::feed_forward(layer, naive::rows(x)).data, 1e-13);
}

TEST_CASE_TEMPLATE("a block agrees with loops, for any batch and length", D, Cpu, Reference) {
  auto const block = checks::random_model<Layer<double, D>>(1);
  for (int const length : {1, 3, 8}) {
    auto const x = normal<X<double, D, "batch t embed=4">>(Key(2), 2, length);
    auto const steps = static_cast<std::size_t>(length);
    checks::near(block(x), naive::block(block, naive::rows(x), steps, 2).data, 1e-13);
  }
}

TEST_CASE("a block is nine kernels: sums, biases and gelu are fused into the matmuls") {
  auto const block = checks::random_model<Layer<float, Cpu>>(1);
  auto const x = normal<X<float, Cpu, "batch t embed=4">>(Key(2), 2, 5);
  auto const before = kernels_run;
  auto const y = block(x);
  CHECK(kernels_run - before == 9);
  checks::near(y, naive::block(block, naive::rows(x), 5, 2).data, 5e-6);
}

TEST_CASE_TEMPLATE("the gradient of a block", D, Cpu, Reference) {
  auto const x = normal<X<double, D, "batch t embed=4">>(Key(3), 2, 3);
  checks::gradient([&](auto const& block) { return checks::weighed(block(x)); },
                   checks::random_model<Layer<double, D>>(4));
}

TEST_CASE_TEMPLATE("equal keys drop equal elements, and without a key none are dropped", D, Cpu,
                   Reference) {
  auto block = checks::random_model<Layer<double, D>>(1);
  block.dropout.rate = 0.5f;
  auto const x = normal<X<double, D, "batch t embed=4">>(Key(2), 2, 5);
  auto const a = naive::numbers(block(x, Key(7)));
  CHECK(a == naive::numbers(block(x, Key(7))));
  CHECK(a != naive::numbers(block(x, Key(8))));
  CHECK(a != naive::numbers(block(x)));
  block.dropout.rate = 0;
  checks::near(block(x, Key(7)), naive::numbers(block(x)), 1e-13);
}

}  // namespace transformer_block_test
