// Attention to a sequence sharded over ranks agrees with one rank on the whole, including
// gradients.

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/context_parallel/ring_attention.hpp>

#include "ranks.hpp"

namespace ring_test {

using namespace ranks;

namespace {

template <class T>
using Queries = Tensor<T, "batch query head feature">;
template <class T>
using Keys = Tensor<T, "batch key head feature">;

template <class T>
struct AttentionOperands {
  Queries<T> q;
  Keys<T> k, v;
};

struct Lengths {
  std::int64_t batch, queries, keys, heads, features;
};

template <class T>
AttentionOperands<T> attention_operands(Lengths const& n) {
  return {normal<Queries<T>>(Key(1), n.batch, n.queries, n.heads, n.features),
          normal<Keys<T>>(Key(2), n.batch, n.keys, n.heads, n.features),
          normal<Keys<T>>(Key(3), n.batch, n.keys, n.heads, n.features)};
}

template <TensorType X>
X own_part(X const& whole, Group const& group) {
  return X(part_of<1>(whole, group));
}
template <class T>
AttentionOperands<T> own_parts(AttentionOperands<T> const& all, Group const& group) {
  return {own_part(all.q, group), own_part(all.k, group), own_part(all.v, group)};
}

template <Expression A, Expression B>
double distance(A const& a, B const& b) {
  REQUIRE(a.sizes() == b.sizes());
  return a.size() == 0 ? 0 : double(max(abs(a - b)).item());
}

/// A loss in which each element has a different weight.
template <class T, TensorType Y>
Tensor<T, ""> loss_of(Y const& y, Y const& factors) {
  return sum(y * y * factors);
}

/// Compares values and gradients on the ranks of a group with those of one rank; the largest error.
template <bool is_causal, class T>
double worst(Lengths const& lengths, Group const& group) {
  auto const all = attention_operands<T>(lengths);
  auto const factors =
      normal<Queries<T>>(Key(4), lengths.batch, lengths.queries, lengths.heads, lengths.features);
  auto const one = [](AttentionOperands<T> const& x) {
    if constexpr (is_causal)
      return internal::attention_of<internal::MultiheadAttentionName, true>(x.q, x.k, x.v);
    else return internal::attention_of<internal::MultiheadAttentionName, false>(x.q, x.k, x.v);
  };
  auto const many = [&](AttentionOperands<T> const& x) {
    if constexpr (is_causal) return ring_attention(x.q, x.k, x.v, group, tenon::is_causal);
    else return ring_attention(x.q, x.k, x.v, group);
  };
  auto const own = own_parts(all, group);
  auto const own_factors = own_part(factors, group);
  auto const wanted = own_parts(
      grad([&](AttentionOperands<T> const& x) { return loss_of<T>(one(x), factors); })(all), group);
  auto const got = grad([&](AttentionOperands<T> const& x) {
    return all_reduce(loss_of<T>(many(x), own_factors), group);
  })(own);
  return std::max({distance(many(own), own_part(one(all), group)), distance(got.q, wanted.q),
                   distance(got.k, wanted.k), distance(got.v, wanted.v)});
}

}  // namespace

TEST_CASE("ring attention agrees with one rank, including gradients") {
  World const world;
  Group const& group = world.group();
  for (std::int64_t const length : {13, 3, 1, 0, 150}) {
    CAPTURE(length);
    CHECK(worst<true, double>({2, length, length, 3, 4}, group) < 1e-12);
    CHECK(worst<false, double>({2, length, length, 3, 4}, group) < 1e-12);
  }
}

TEST_CASE("to another sequence, with one head, with an empty batch") {
  World const world;
  Group const& group = world.group();
  CHECK(worst<false, double>({2, 9, 21, 1, 5}, group) < 1e-12);
  CHECK(worst<false, double>({1, 70, 2, 2, 3}, group) < 1e-12);
  CHECK(worst<false, double>({1, 4, 0, 2, 3}, group) == 0);
  CHECK(worst<true, double>({0, 13, 13, 2, 4}, group) == 0);
}

TEST_CASE("shards of uneven lengths") {
  World const world;
  Group const& group = world.group();
  auto const all = attention_operands<double>({2, 15, 15, 2, 3});
  std::int64_t const last = group.size() - 1, begin = group.rank() == last ? 0 : 15;
  auto const own = [&](auto const& x) { return std::decay_t<decltype(x)>(slice<1>(x, begin, 15)); };
  Queries<double> const y = ring_attention(own(all.q), own(all.k), own(all.v), group, is_causal);
  CHECK(distance(y, own(internal::attention_of<internal::MultiheadAttentionName, true>(
                        all.q, all.k, all.v))) < 1e-12);
}

TEST_CASE("scores that would overflow, and an infinite one") {
  World const world;
  Group const& group = world.group();
  auto all = attention_operands<double>({1, 11, 11, 1, 4});
  all.q = all.q * 1e4;
  auto const own = own_parts(all, group);
  auto const y = ring_attention(own.q, own.k, own.v, group);
  CHECK(distance(y, own_part(internal::attention_of<internal::MultiheadAttentionName, false>(
                                 all.q, all.k, all.v),
                             group)) < 1e-12);
  all.k(0, 3, 0, 0) = std::numeric_limits<double>::infinity();
  auto const infinite = own_parts(all, group);
  auto const got = ring_attention(infinite.q, infinite.k, infinite.v, group, is_causal);
  auto const wanted = own_part(
      internal::attention_of<internal::MultiheadAttentionName, true>(all.q, all.k, all.v), group);
  for (std::int64_t i = 0; i < got.size(); ++i)
    CHECK(std::isnan(got.data()[i]) == std::isnan(wanted.data()[i]));
}

namespace {

/// True if the numbers are the same, including NaN and infinities.
bool same_numbers(Expression auto const& a, Expression auto const& b) {
  REQUIRE(a.sizes() == b.sizes());
  for (std::int64_t i = 0; i < a.size(); ++i) {
    double const x = a.data()[i], y = b.data()[i];
    bool const is_same = x == y || std::abs(x - y) < 1e-12 || (std::isnan(x) && std::isnan(y));
    if (!is_same) return false;
  }
  return true;
}

/// Sets the keys and values of a position to numbers that are not finite: the earlier positions and
/// their gradients, of a loss over them alone, agree with one rank and are finite.
void check_hidden(std::int64_t length, std::int64_t hidden, double key, double value,
                  Group const& group, double query = 1) {
  auto all = attention_operands<double>({2, length, length, 2, 3});
  auto const at_hidden = iota<Int32<"key 1 1">>(length) == static_cast<std::int32_t>(hidden);
  all.k = eval(where(at_hidden, key, all.k));
  all.v = eval(where(at_hidden, value, all.v));
  auto const asks = iota<Int32<"query 1 1">>(length) == static_cast<std::int32_t>(hidden);
  all.q = eval(where(asks, query, all.q));
  auto const before = eval(zeros<Queries<double>>(2, length, 2, 3) ==
                           to<double>(iota<Int32<"query 1 1">>(length) >= std::int32_t(hidden)));
  auto const own = own_parts(all, group);
  Tensor<bool, "batch query head feature"> const own_before = own_part(before, group);
  auto const loss = [](auto const& y, auto const& counts) -> Float64<""> {
    return sum(sin(where(counts, y, 0.0)));
  };
  auto const one = [&](AttentionOperands<double> const& x) {
    return loss(internal::attention_of<internal::MultiheadAttentionName, true>(x.q, x.k, x.v),
                before);
  };
  auto const many = [&](AttentionOperands<double> const& x) {
    return all_reduce(loss(ring_attention(x.q, x.k, x.v, group, is_causal), own_before), group);
  };
  auto const y = ring_attention(own.q, own.k, own.v, group, is_causal);
  CHECK(same_numbers(y, own_part(internal::attention_of<internal::MultiheadAttentionName, true>(
                                     all.q, all.k, all.v),
                                 group)));
  CHECK(std::isfinite(sum(where(own_before, y, 0.0)).item()));
  auto const wanted = own_parts(grad(one)(all), group), got = grad(many)(own);
  CHECK(std::isfinite(sum(got.q).item() + sum(got.k).item() + sum(got.v).item()));
  CHECK(same_numbers(got.q, wanted.q));
  CHECK(same_numbers(got.k, wanted.k));
  CHECK(same_numbers(got.v, wanted.v));
}

}  // namespace

TEST_CASE("NaN and infinity do not affect earlier positions on any rank") {
  World const world;
  double const none = std::numeric_limits<double>::quiet_NaN();
  double const infinity = std::numeric_limits<double>::infinity();
  for (std::int64_t const hidden : {1, 5, 10, 12}) {
    CAPTURE(hidden);
    check_hidden(13, hidden, 1, none, world.group());
    check_hidden(13, hidden, none, 1, world.group());
    check_hidden(13, hidden, 1, infinity, world.group());
    check_hidden(13, hidden, -infinity, none, world.group());
  }
  check_hidden(150, 70, none, none, world.group());
  for (std::int64_t const hidden : {0, 1, 8, 12})
    check_hidden(13, hidden, 1, 1, world.group(), none);  // a query without an adjoint
  check_hidden(1, 0, none, none, world.group());
  check_hidden(70, 46, 1, 1, world.group(), none);
}

TEST_CASE("the bytes sent are those that docs/parallel.md states") {
  World const world;
  Group const& group = world.group();
  std::int64_t const ranks = group.size(), length = 13;
  auto const own = own_parts(attention_operands<double>({2, length, length, 3, 4}), group);
  std::int64_t const position = 2 * 2 * 3 * 4 * 8;  // keys and values, batch, heads, features
  auto const sent = [&](auto const& f) {
    tenon::mpi::Traffic const traffic;
    f();
    std::int64_t bytes = traffic.by(tenon::mpi::Sends::exchange).sent;
    tenon::internal::mpi::all_reduce<op::sum>(&bytes, 1, group);
    return bytes;
  };
  auto const full = [&](AttentionOperands<double> const& x) {
    return all_reduce(sum(ring_attention(x.q, x.k, x.v, group)), group);
  };
  auto const causal = [&](AttentionOperands<double> const& x) {
    return all_reduce(sum(ring_attention(x.q, x.k, x.v, group, is_causal)), group);
  };
  std::int64_t hops = 0;  // of all positions: to the later ranks
  for (std::int64_t rank = 0; rank < ranks; ++rank)
    hops += tenon::internal::mpi::parts_of(length, group.size())[std::size_t(rank)] *
            (ranks - 1 - rank);
  CHECK(sent([&] { (void)full(own); }) == (ranks - 1) * length * position);
  CHECK(sent([&] { (void)grad(full)(own); }) == 3 * (ranks - 1) * length * position);
  CHECK(sent([&] { (void)causal(own); }) == hops * position);
  CHECK(sent([&] { (void)grad(causal)(own); }) == 3 * hops * position);
}

TEST_CASE("keys that do not belong to the queries throw on all ranks") {
  World const world;
  Group const& group = world.group();
  auto own = own_parts(attention_operands<double>({1, 8, 8, 1, 2}), group);
  if (group.rank() == group.size() - 1) own.v = zeros<Keys<double>>(1, 31, 1, 2);
  CHECK_THROWS_AS((void)ring_attention(own.q, own.k, own.v, group), ShapeError);
  own.k = own.v;
  CHECK_THROWS_WITH_AS((void)ring_attention(own.q, own.k, own.v, group, is_causal),
                       doctest::Contains("key"), ShapeError);
}

}  // namespace ring_test
