// Dropout of attention's weights inside its kernel: the mask is that of `bernoulli` with the key.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <tenon/nn/scaled_dot_product_attention.hpp>
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

namespace attention_dropout_test {

using namespace tenon;

namespace {

template <class T>
using Queries = Of<T, "batch head query feature">;
template <class T>
using Keys = Of<T, "batch head key feature">;
template <class T>
using Weights = Of<T, "batch head query key">;

template <class T>
struct Heads {
  Queries<T> q;
  Keys<T> k, v;
};

template <class T>
Heads<T> heads(std::int64_t batch, std::int64_t head, std::int64_t queries, std::int64_t keys,
               std::int64_t width) {
  return {normal<Queries<T>>(Key{1}, batch, head, queries, width),
          normal<Keys<T>>(Key{2}, batch, head, keys, width),
          normal<Keys<T>>(Key{3}, batch, head, keys, width)};
}

/// By matmuls, a softmax and a mask.
template <class T>
auto composed(Heads<T> const& at, Dropout const& dropout, Key const& key,
              Weights<bool> const& seen) {
  auto const width = static_cast<double>(size<"feature">(at.q));
  Weights<T> const scores =
      einsum<"batch head query feature, batch head key feature -> batch head query key">(at.q,
                                                                                         at.k) *
      static_cast<T>(1 / std::sqrt(width));
  Weights<T> const weights =
      softmax<"key">(where(seen, scores, -std::numeric_limits<T>::infinity()));
  Weights<T> const dropped = dropout(weights, key);
  return Queries<T>(
      einsum<"batch head query key, batch head key feature -> batch head query feature">(dropped,
                                                                                         at.v));
}
template <class T, class... Options>
auto fused(Heads<T> const& at, Options const&... options) {
  return Queries<T>(scaled_dot_product_attention(at.q, at.k, at.v, options...));
}

template <class T>
double largest(Heads<T> const& a, Heads<T> const& b) {
  double most = 0;
  tenon::tree::zip(
      [&](auto const& x, auto const& y) {
        for (int i = 0; i < x.size(); ++i)
          most = (std::max)(most, std::abs(double(x.data()[i]) - double(y.data()[i])));
      },
      a, b);
  return most;
}

template <class T, class... Options>
void check(Heads<T> const& at, Dropout const& dropout, Weights<bool> const& seen, double tolerance,
           Options const&... options) {
  Key const key(7);
  auto const y = fused(at, dropout, key, options...), expected = composed(at, dropout, key, seen);
  CHECK(max(abs(y - expected)).item() <= tolerance);
  auto const adjoint = normal<Queries<T>>(Key{9}, size<"batch">(at.q), size<"head">(at.q),
                                          size<"query">(at.q), size<"feature">(at.q));
  auto const got = grad(
      [&](Heads<T> const& h) { return sum(adjoint * fused(h, dropout, key, options...)); })(at);
  auto const want =
      grad([&](Heads<T> const& h) { return sum(adjoint * composed(h, dropout, key, seen)); })(at);
  CHECK(largest(got, want) <= 10 * tolerance);
}

Weights<bool> all_seen(std::int64_t batch, std::int64_t head, std::int64_t queries,
                       std::int64_t keys) {
  return full<Weights<bool>>(true, batch, head, queries, keys);
}

void check_all_seen(std::int64_t batch, std::int64_t head, std::int64_t queries, std::int64_t keys,
                    float rate) {
  auto const seen = all_seen(batch, head, queries, keys);
  check(heads<double>(batch, head, queries, keys, 5), Dropout{rate}, seen, 1e-12);
  check(heads<float>(batch, head, queries, keys, 16), Dropout{rate}, seen, 2e-5);
}

}  // namespace

TEST_CASE("dropout in the kernel of attention is that of its weights") {
  for (auto const& [queries, keys] : {std::pair(1, 1), std::pair(3, 5), std::pair(50, 67)})
    for (float const rate : {0.0f, 0.1f, 0.9f, 1.0f}) check_all_seen(2, 3, queries, keys, rate);
  check_all_seen(2, 1, 97, 600, 0.3f);  // three blocks of 48 queries, and of 288 keys
}

TEST_CASE("dropout in the kernel of attention with causal and Boolean masks") {
  auto const at = heads<double>(2, 2, 61, 61, 7);
  auto causal = all_seen(2, 2, 61, 61);
  for (int b = 0; b < 2; ++b)
    for (int h = 0; h < 2; ++h)
      for (int q = 0; q < 61; ++q)
        for (int k = q + 1; k < 61; ++k) causal(b, h, q, k) = false;
  check(at, Dropout{0.3f}, causal, 1e-12, is_causal);
  Weights<bool> const mask = bernoulli<Weights<bool>>(Key{5}, 0.7, 2, 2, 61, 61);
  check(at, Dropout{0.3f}, mask, 1e-12, mask);
}

TEST_CASE("dropout in the kernel of grouped attention") {
  auto const at = heads<double>(2, 6, 20, 30, 4);
  auto const keys = normal<Keys<double>>(Key{2}, 2, 2, 30, 4);
  auto const values = eval(2.0 * keys);
  Key const key(11);
  auto const y =
      eval(scaled_dot_product_attention(at.q, keys, values, enable_gqa, Dropout{0.4f}, key));
  auto const repeated = [](Keys<double> const& x) {
    auto all = zeros<Keys<double>>(2, 6, 30, 4);
    for (int b = 0; b < 2; ++b)
      for (int h = 0; h < 6; ++h)
        for (int k = 0; k < 30; ++k)
          for (int f = 0; f < 4; ++f) all(b, h, k, f) = x(b, h / 3, k, f);
    return all;
  };
  auto const expected = composed(Heads<double>{at.q, repeated(keys), repeated(values)},
                                 Dropout{0.4f}, key, all_seen(2, 6, 20, 30));
  CHECK(max(abs(y - expected)).item() < 1e-12);
}

TEST_CASE("attention with dropout is one kernel, and stores nothing of queries x keys") {
  auto const at = heads<float>(1, 1, 2048, 2048, 8);
  auto const run = [&] {
    return grad(
        [&](Heads<float> const& h) { return sum(fused(h, is_causal, Dropout{0.1f}, Key(1))); })(at);
  };
  std::int64_t const before = kernels_run;
  (void)eval(scaled_dot_product_attention(at.q, at.k, at.v, Dropout{0.1f}, Key(1)));
  CHECK(kernels_run - before <= 5);  // it, and rearrangements of its operands and its result
  memory::reset_peak_bytes();
  std::int64_t const in_use = memory::peak_bytes_in_use();
  (void)run();
  CHECK(memory::peak_bytes_in_use() - in_use < 4 << 20);  // the weights would be 16 MB
}

TEST_CASE("threads do not change the bits of attention with dropout") {
  int const before = threads();
  auto const at = heads<float>(2, 4, 130, 300, 24);
  auto const run = [&] { return fused(at, Dropout{0.2f}, Key(3)); };
  set_threads(1);
  auto const one = run();
  set_threads(3);
  auto const three = run();
  CHECK(std::memcmp(one.data(), three.data(), std::size_t(one.size()) * sizeof(float)) == 0);
  set_threads(before);
}

TEST_CASE("a dropped weight hides NaN, and a kept one passes it on") {
  auto at = heads<double>(1, 1, 4, 9, 3);
  at.v(0, 0, 4, 1) = std::numeric_limits<double>::quiet_NaN();
  Key const key(7);
  auto const y = fused(at, Dropout{0.5f}, key);
  auto const kept = bernoulli<Weights<bool>>(key, 0.5f, 1, 1, 4, 9);
  for (int q = 0; q < 4; ++q)
    if (kept(0, 0, q, 4)) CHECK(std::isnan(y(0, 0, q, 1)));
}

TEST_CASE("dropout of attention checks its rate") {
  auto const at = heads<float>(1, 1, 2, 2, 2);
  CHECK_THROWS_WITH_AS((void)fused(at, Dropout{1.5f}, Key(1)),
                       doctest::Contains("a number from 0 to 1"), ValueError);
}

}  // namespace attention_dropout_test
