// sanitize: thread
#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <vector>

#include <tenon/tenon.hpp>

namespace determinism_test {

using namespace tenon;

namespace {

template <TensorType E>
E some(auto... sizes) {
  E x = zeros<E>(sizes...);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = static_cast<float>((i * 7919 % 1009) - 504) / 333.0f;
  return x;
}

template <TensorType E>
bool same_bits(E const& a, E const& b) {
  auto const bytes = static_cast<std::size_t>(a.size()) * sizeof(typename E::value_type);
  return a.sizes() == b.sizes() && std::memcmp(a.data(), b.data(), bytes) == 0;
}

/// True if the result has the same bits for any number of threads.
template <class F>
void same_for_all_numbers_of_threads(F const& f) {
  int const before = threads();
  set_threads(1);
  auto const alone = f();
  for (int const number : {2, 3, 4}) {
    set_threads(number);
    for (int repeat = 0; repeat < 2; ++repeat) CHECK(same_bits(alone, f()));
  }
  set_threads(before);
}

}  // namespace

TEST_CASE("sums and matmuls have the same bits for any number of threads") {
  auto const x = some<Float32<"rows columns">>(301, 777);
  auto const w = some<Float32<"columns out">>(777, 65);
  same_for_all_numbers_of_threads([&] { return eval(sum(x)); });
  same_for_all_numbers_of_threads([&] { return eval(sum<"rows">(x)); });
  same_for_all_numbers_of_threads([&] { return eval(softmax<"columns">(x)); });
  same_for_all_numbers_of_threads([&] { return eval(relu(matmul(x, w))); });
}

TEST_CASE(
    "gradients of tensors that are broadcast over rows have the same bits for any number of "
    "threads") {
  auto const x = some<Float32<"rows columns">>(301, 777);
  auto const bias = some<Float32<"columns">>(777);
  same_for_all_numbers_of_threads([&] {
    return grad([&](Float32<"columns"> const& b) { return sum(exp(tanh(x + b))); })(bias);
  });
  same_for_all_numbers_of_threads([&] {
    return grad(
        [&](Float32<"columns"> const& b) { return sum(square(softmax<"columns">(x * b))); })(bias);
  });
}

TEST_CASE(
    "the gradient of a scalar in an expression with one long row has the same bits for any number "
    "of threads") {
  auto const x = some<Float32<"n">>(300000);
  same_for_all_numbers_of_threads([&] {
    return grad([&](Float32<""> const& scale) {
      Float32<"n"> const y = x * scale;
      return sum(y * y);
    })(Float32<"">(0.37f));
  });
}

TEST_CASE("gradients of a table with frequently gathered rows have the same bits") {
  auto const table = some<Float32<"vocab embed">>(13, 64);
  auto ids = zeros<Int32<"t">>(5000);
  for (int i = 0; i < 5000; ++i) ids(i) = i * 7 % 13;
  same_for_all_numbers_of_threads([&] {
    return grad([&](Float32<"vocab embed"> const& t) {
      return sum(square(tanh(take<"vocab">(t, ids))));
    })(table);
  });
}

TEST_CASE("gradients of matmuls have the same bits for any number of threads") {
  auto const x = some<Float32<"rows columns">>(301, 177);
  auto const w = some<Float32<"columns out">>(177, 65);
  same_for_all_numbers_of_threads([&] {
    return grad([&](Float32<"columns out"> const& v) { return sum(square(matmul(x, v))); })(w);
  });
}

TEST_CASE(
    "batched matmuls and reductions over other axes, and their gradients, have the same bits") {
  auto const q = some<Float32<"batch query feature">>(9, 70, 33);
  auto const k = some<Float32<"batch key feature">>(9, 80, 33);
  auto const weights = [&](Float32<"batch query feature"> const& x) {
    auto const scores = einsum<"b q f, b k f -> b q k">(x, k);
    return eval(max<"q">(scores) + mean<"q">(square(scores)));
  };
  same_for_all_numbers_of_threads([&] { return weights(q); });
  same_for_all_numbers_of_threads([&] {
    return grad([&](Float32<"batch query feature"> const& x) { return sum(square(weights(x))); })(
        q);
  });
}

}  // namespace determinism_test
