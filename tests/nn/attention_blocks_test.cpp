// sanitize: thread
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

#include <tenon/nn.hpp>

#include "checks.hpp"

/// Attention on the CPU, by blocks of queries and keys, beside loops in double.
namespace attention_blocks_test {

using namespace tenon;

namespace {

template <class T>
using Rows = Of<T, "batch position head feature">;

struct Sizes {
  int batch, queries, keys, heads, width;
  bool is_causal;
};

/// The result, and the adjoints of queries, keys and values.
template <class T>
using Results = std::array<Rows<T>, 4>;

/// Random numbers; 16-bit dtypes have rounded ones.
template <class T>
Rows<T> random_rows(int key, double factor, int batch, int positions, int heads, int width) {
  using Wide = std::conditional_t<sizeof(T) == 2, float, T>;
  Rows<Wide> const rows = normal<Rows<Wide>>(Key(key), batch, positions, heads, width);
  return to<T>(static_cast<Wide>(factor) * rows);
}

/// Queries, keys, values and the adjoint of the result.
template <class T>
Results<T> operands(Sizes const& n, double factor = 1) {
  return {random_rows<T>(1, factor, n.batch, n.queries, n.heads, n.width),
          random_rows<T>(2, factor, n.batch, n.keys, n.heads, n.width),
          random_rows<T>(3, 1, n.batch, n.keys, n.heads, n.width),
          random_rows<T>(4, 1, n.batch, n.queries, n.heads, n.width)};
}

template <class T>
Results<T> attention(Sizes const& n, double factor = 1) {
  using X = Rows<T>;
  auto const [q, k, v, adjoint] = operands<T>(n, factor);
  auto const attend = [&](std::array<X, 3> const& x) -> X {
    if (n.is_causal)
      return internal::attention_of<internal::MultiheadAttentionName, true>(x[0], x[1], x[2]);
    return internal::attention_of<internal::MultiheadAttentionName, false>(x[0], x[1], x[2]);
  };
  auto [y, pullback] = vjp(attend, std::array<X, 3>{q, k, v});
  auto const adjoints = pullback(adjoint);
  return {y, adjoints[0], adjoints[1], adjoints[2]};
}

/// Where the vector of a position and a head begins, of that many positions.
std::int64_t place(Sizes const& n, int positions, int b, int i, int h) {
  return ((std::int64_t{b} * positions + i) * n.heads + h) * n.width;
}
double dot(double const* x, double const* y, int width) {
  double sum = 0;
  for (int f = 0; f < width; ++f) sum += x[f] * y[f];
  return sum;
}
void add(double* to, double factor, double const* x, int width) {
  for (int f = 0; f < width; ++f) to[f] += factor * x[f];
}

/// A query: where its vector and that of the first key begin, and the distance of two keys.
struct Query {
  std::int64_t own, first, step;
  std::size_t seen;

  std::int64_t key(std::size_t j) const { return first + std::int64_t(j) * step; }
};

/// Adds a query's terms to the results, from its weights and the products of the adjoint with the
/// values.
void add_terms(Sizes const& n, std::array<double const*, 4> const& in,
               std::array<double*, 4> const& out, Query const& query,
               std::vector<double> const& weight, std::vector<double> const& share) {
  double mean = 0;
  for (std::size_t j = 0; j < query.seen; ++j) mean += weight[j] * share[j];
  for (std::size_t j = 0; j < query.seen; ++j) {
    std::int64_t const key = query.key(j);
    double const ds = weight[j] * (share[j] - mean) / std::sqrt(n.width);
    add(out[0] + query.own, weight[j], in[2] + key, n.width);
    add(out[1] + query.own, ds, in[1] + key, n.width);
    add(out[2] + key, ds, in[0] + query.own, n.width);
    add(out[3] + key, weight[j], in[3] + query.own, n.width);
  }
}

/// One query by loops over pointers in double, as this is not optimised: its weights, then what it
/// adds to the results.
void add_query(Sizes const& n, std::array<double const*, 4> const& in,
               std::array<double*, 4> const& out, int b, int i, int h) {
  Query const query{place(n, n.queries, b, i, h), place(n, n.keys, b, 0, h), n.heads * n.width,
                    static_cast<std::size_t>(n.is_causal ? i + 1 : n.keys)};
  std::vector<double> weight(query.seen), share(query.seen);
  double most = -INFINITY, total = 0;
  for (std::size_t j = 0; j < query.seen; ++j) {
    weight[j] = dot(in[0] + query.own, in[1] + query.key(j), n.width) / std::sqrt(n.width);
    share[j] = dot(in[3] + query.own, in[2] + query.key(j), n.width);
    most = std::max(most, weight[j]);
  }
  for (double& w : weight) total += w = std::exp(w - most);
  for (double& w : weight) w /= total;
  add_terms(n, in, out, query, weight, share);
}

Results<double> by_loops(Sizes const& n, Results<double> const& in) {
  Results<double> out{zeros_like(in[0]), zeros_like(in[0]), zeros_like(in[1]), zeros_like(in[1])};
  std::array<double const*, 4> from;
  std::array<double*, 4> to;
  for (std::size_t i = 0; i < 4; ++i) from[i] = in[i].data(), to[i] = out[i].mutable_data();
  for (int b = 0; b < n.batch; ++b)
    for (int i = 0; i < n.queries; ++i)
      for (int h = 0; h < n.heads; ++h) add_query(n, from, to, b, i, h);
  return out;
}

template <class T>
void expect_near_loops(Sizes const& n, double tolerance, double factor = 1) {
  CAPTURE(n.queries);
  CAPTURE(n.keys);
  auto const in = operands<T>(n, factor);
  Results<double> const expected =
      by_loops(n, {to<double>(in[0]), to<double>(in[1]), to<double>(in[2]), to<double>(in[3])});
  auto const got = attention<T>(n, factor);
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    Float64<""> const largest = max(abs(expected[i]));
    Float64<""> const error = max(abs(to<double>(got[i]) - expected[i]));
    CHECK(error() <= tolerance * largest());
  }
}

}  // namespace

TEST_CASE("any number of queries and keys, in blocks or at the end of them") {
  expect_near_loops<double>({2, 1, 1, 1, 1, true}, 1e-12);
  expect_near_loops<double>({1, 63, 63, 2, 5, true}, 1e-12);
  expect_near_loops<double>({2, 65, 65, 3, 16, true}, 1e-12);
  expect_near_loops<double>({1, 130, 130, 1, 24, true}, 1e-12);
  expect_near_loops<double>({1, 545, 545, 1, 3, true}, 1e-12);
  expect_near_loops<double>({1, 7, 1000, 2, 8, false}, 1e-12);
  expect_near_loops<double>({1, 530, 70, 1, 8, false}, 1e-12);
  expect_near_loops<float>({2, 129, 129, 2, 33, true}, 2e-5);
  expect_near_loops<float>({1, 100, 490, 2, 64, false}, 2e-5);
}

TEST_CASE("16-bit dtypes are computed as float, and rounded once") {
  expect_near_loops<bfloat16>({2, 65, 65, 2, 16, true}, 2e-2);
  expect_near_loops<float16>({1, 50, 300, 1, 8, false}, 3e-3);
}

TEST_CASE("scores far apart neither overflow nor vanish") {
  expect_near_loops<double>({1, 500, 500, 1, 4, true}, 1e-9, 30);
}

TEST_CASE("masks and groups of heads have the results of all scores at once") {
  // Where a mask is differentiated, all scores are stored.
  using Queries = Float64<"batch head=4 t d=8">;
  using Keys = Float64<"batch head=2 s d=8">;
  using Added = Float64<"batch 1 t s">;
  Queries const q = normal<Queries>(Key(1), 2, 100), weights = normal<Queries>(Key(4), 2, 100);
  Keys const k = normal<Keys>(Key(2), 2, 350), v = normal<Keys>(Key(3), 2, 350);
  Added mask = where(bernoulli<Mask<"batch 1 t s">>(Key(5), 0.3f, 2, 100, 350),
                     -std::numeric_limits<double>::infinity(), normal<Added>(Key(6), 2, 100, 350));
  for (int j = 0; j < 350; ++j) mask(1, 0, 70, j) = -std::numeric_limits<double>::infinity();
  auto const loss = [&](Queries const& a, Keys const& b, Keys const& c, auto const& m) {
    return sum(weights * scaled_dot_product_attention(a, b, c, m, enable_gqa));
  };
  auto const [l, fused] = value_and_grad([&](std::tuple<Queries, Keys, Keys> const& x) {
    return loss(std::get<0>(x), std::get<1>(x), std::get<2>(x), mask);
  })(std::tuple(q, k, v));
  auto const [other, stored] = value_and_grad([&](std::tuple<Queries, Keys, Keys, Added> const& x) {
    return loss(std::get<0>(x), std::get<1>(x), std::get<2>(x), std::get<3>(x));
  })(std::tuple(q, k, v, mask));
  CHECK(l() == doctest::Approx(other()).epsilon(1e-12));
  CHECK(allclose(std::get<0>(fused), std::get<0>(stored), {.relative = 1e-9, .absolute = 1e-12}));
  CHECK(allclose(std::get<1>(fused), std::get<1>(stored), {.relative = 1e-9, .absolute = 1e-12}));
  CHECK(allclose(std::get<2>(fused), std::get<2>(stored), {.relative = 1e-9, .absolute = 1e-12}));
  Mask<"batch 1 t s"> const seen = mask > 0.0;
  Queries const of_mask = scaled_dot_product_attention(q, k, v, seen, enable_gqa);
  Added const hidden = where(seen, zeros_like(mask), -std::numeric_limits<double>::infinity());
  CHECK(allclose(of_mask, scaled_dot_product_attention(q, k, v, hidden, enable_gqa)));
  CHECK(bool(all(take<"t">(take<"batch">(of_mask, 1), 70) == 0.0)));
}

TEST_CASE("without keys the result is zero; without queries or features it is empty") {
  auto const none = attention<float>({1, 3, 0, 2, 4, false});
  CHECK(bool(all(none[0] == 0.0F)));
  CHECK(bool(all(none[1] == 0.0F)));
  CHECK(attention<float>({2, 0, 0, 2, 4, true})[0].size() == 0);
  CHECK(attention<float>({2, 3, 3, 2, 0, true})[0].size() == 0);
}

TEST_CASE("a NaN among the keys makes every query NaN that sees it") {
  using X = Rows<float>;
  X const q = normal<X>(Key(1), 1, 70, 1, 4), v = normal<X>(Key(3), 1, 70, 1, 4);
  X k = normal<X>(Key(2), 1, 70, 1, 4);
  k(0, 69, 0, 1) = std::numeric_limits<float>::quiet_NaN();
  X const y = internal::attention_of<internal::MultiheadAttentionName, false>(q, k, v);
  CHECK(bool(all(isnan(y))));
  X const causal = internal::attention_of<internal::MultiheadAttentionName, true>(q, k, v);
  CHECK(!bool(any(isnan(slice<1, 0, 69>(causal)))));
  CHECK(bool(all(isnan(slice<1, 69, 70>(causal)))));
}

TEST_CASE("the bits do not depend on the number of threads") {
  int const before = threads();
  Sizes const n{2, 600, 600, 3, 16, true};
  set_threads(1);
  auto const one = attention<float>(n);
  set_threads(4);
  auto const four = attention<float>(n);
  set_threads(before);
  for (std::size_t i = 0; i < 4; ++i) CHECK(bool(all(one[i] == four[i])));
}

TEST_CASE("attention and its gradient take memory linear in the positions") {
  using X = Rows<float>;
  auto const bytes = [](int positions) {
    X const x = normal<X>(Key(1), 1, positions, 1, 4);
    internal::memory::reset_peak_bytes();
    std::int64_t const before = internal::memory::bytes_in_use();
    auto const g = grad([](X const& y) {
      return sum(internal::attention_of<internal::MultiheadAttentionName, true>(y, y, y));
    })(x);
    (void)g;
    return internal::memory::peak_bytes_in_use() - before;
  };
  auto const small = bytes(2048), large = bytes(8192);
  CHECK(large < 5 * small);
}

}  // namespace attention_blocks_test
