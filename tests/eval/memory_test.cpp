#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

namespace memory_test {

using namespace tenon;

namespace {

struct Model {
  Float32<"pixel=70 hidden=40"> w1;
  Float32<"hidden=40"> b1;
  Float32<"hidden=40 digit=10"> w2;
  Float32<"digit=10"> b2;
};

template <TensorType E>
E some(auto... sizes) {
  E x = zeros<E>(sizes...);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.own_memory()[i] = static_cast<float>((i * 37 % 101) - 50) / 250.0f;
  return x;
}

Model start() {
  return {some<Float32<"pixel=70 hidden=40">>(), some<Float32<"hidden=40">>(),
          some<Float32<"hidden=40 digit=10">>(), some<Float32<"digit=10">>()};
}

/// One step of gradient descent; returns the loss before it.
float step(Model& model, Float32<"batch pixel=70"> const& images, Int32<"batch"> const& labels) {
  auto const [loss, grads] = value_and_grad([&](Model const& m) {
    Float32<"batch hidden=40"> const hidden = relu(matmul(images, m.w1) + m.b1);
    Float32<"batch digit=10"> const logits = matmul(hidden, m.w2) + m.b2;
    return mean(logsumexp<"digit">(logits) - pick<"digit">(logits, labels));
  })(model);
  model.w1 = model.w1 - 0.1f * grads.w1;
  model.b1 = model.b1 - 0.1f * grads.b1;
  model.w2 = model.w2 - 0.1f * grads.w2;
  model.b2 = model.b2 - 0.1f * grads.b2;
  return loss.item();
}

}  // namespace

TEST_CASE(
    "a training loop allocates no system memory after its first step, and the loss decreases") {
  auto const images = some<Float32<"batch pixel=70">>(50);
  auto labels = zeros<Int32<"batch">>(50);
  for (int i = 0; i < 50; ++i) labels(i) = i % 10;
  Model model = start();
  float const first = step(model, images, labels);
  step(model, images, labels);
  std::int64_t const before = tenon::memory::system_allocations();
  float last = 0;
  for (int i = 0; i < 5; ++i) last = step(model, images, labels);
  CHECK(tenon::memory::system_allocations() == before);
  CHECK(last < first);
}

TEST_CASE("the second training step allocates no system memory") {
  auto const images = some<Float32<"batch pixel=70">>(37);
  auto const labels = zeros<Int32<"batch">>(37);
  Model model = start();
  step(model, images, labels);
  std::int64_t const before = tenon::memory::system_allocations();
  step(model, images, labels);
  CHECK(tenon::memory::system_allocations() == before);
}

TEST_CASE("unused memory is released") {
  std::int64_t const before = tenon::memory::bytes_in_use();
  {
    auto const images = some<Float32<"batch pixel=70">>(20);
    auto const labels = zeros<Int32<"batch">>(20);
    Model model = start();
    step(model, images, labels);
  }
  CHECK(tenon::memory::bytes_in_use() == before);
}

}  // namespace memory_test
