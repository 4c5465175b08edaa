// A tensor-parallel transformer block as in Megatron: heads and hidden units sharded over tp, the
// batch over dp, the vocabulary over tp. It agrees with one rank, including gradients.

#include <cmath>
#include <limits>

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/communication/traffic.hpp>
#include <tenon/distributed/sharding/on_shards.hpp>
#include <tenon/distributed/tensor_parallel/losses.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

namespace transformer_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

constexpr std::int64_t time_steps = 6;

using Ids = Int32<"batch t">;
using Tokens = Float64<"batch t d=8">;

/// The weights; `Part<"...">` is a plain tensor or a sharded one.
template <template <Spec> class Part>
struct Block {
  Part<"vocab=11@tp d=8"> table;
  Part<"d=8 h=4@tp w=2"> q, k, v;
  Part<"h=4@tp w=2 d=8"> out;
  Part<"d=8 hidden=10@tp"> up;
  Part<"hidden=10@tp"> bias;
  Part<"hidden=10@tp d=8"> down;
};

template <Spec S>
using Here = Float64<spec_of<ShardingOf<canonical_sharding<S>>>>;
template <Spec S>
using There = Sharded<double, S>;

/// Reduces a partial value; on one rank it does nothing.
auto const whole_of = [](auto const& x) {
  if constexpr (AnyShard<decltype(x)>) return all_reduce_if_partial(x);
  else return eval(x);
};

template <class X>
auto normed(X const& x) {
  auto const rows = [](auto const& r) {
    auto const centred = r - mean<"d">(r, keep);
    return centred / sqrt(mean<"d">(square(centred), keep) + 1e-5);
  };
  if constexpr (AnyShard<X>) return Sharded<double, X::spec>(on_shards(rows)(x));
  else return eval(rows(x));
}

template <class Weights, class X, class Hidden>
auto attended(Weights const& weights, X const& x, Hidden const& hidden) {
  auto const q = einsum<"batch t d, d h w -> batch t h w">(x, weights.q);
  auto const k = einsum<"batch s d, d h w -> batch s h w">(x, weights.k);
  auto const v = einsum<"batch s d, d h w -> batch s h w">(x, weights.v);
  auto const scores =
      einsum<"batch t h w, batch s h w -> batch h t s">(q, k) * (1 / std::sqrt(2.0));
  auto const shares = softmax<"s">(where(hidden, -std::numeric_limits<double>::infinity(), scores));
  auto const gathered = einsum<"batch h t s, batch s h w -> batch t h w">(shares, v);
  return whole_of(einsum<"batch t h w, h w d -> batch t d">(gathered, weights.out));
}

template <class Weights, class I, class Hidden>
auto loss_of(Weights const& weights, I const& ids, I const& next, Hidden const& hidden) {
  auto const tokens = whole_of(take<"vocab">(weights.table, ids));
  auto const middle = whole_of(tokens + attended(weights, normed(tokens), hidden));
  auto const wide = gelu(matmul(normed(middle), weights.up) + weights.bias);
  auto const last = whole_of(middle + whole_of(matmul(wide, weights.down)));
  auto const logits = einsum<"batch t d, vocab d -> batch t vocab">(normed(last), weights.table);
  return cross_entropy<"vocab">(logits, next);
}

template <class Tree, class Other, class F>
void for_each_pair(Tree& a, Other& b, F const& f) {
  f(a.table, b.table), f(a.q, b.q), f(a.k, b.k), f(a.v, b.v), f(a.out, b.out);
  f(a.up, b.up), f(a.bias, b.bias), f(a.down, b.down);
}

template <class X, Expression Y>
void place(Topology const& mesh, X& to, Y const& from) {
  to = shard<X::spec>(mesh, from);
}

/// The minimum of bytes that a forward and a backward pass send. Over tp, in units of the tokens:
/// the embedding, the attention and the hidden layer are summed forward; backward, the adjoints of
/// the inputs of queries, keys and values, of the hidden layer and of the logits. In units of the
/// labels: the largest logit, and together the sum and the logit of the label. Over dp each shard
/// of a weight once, and the loss.
template <class Weights>
std::int64_t least_bytes(Topology const& mesh, Weights const& weights, std::int64_t positions) {
  int const tp = mesh.size("tp"), dp = mesh.size("dp");
  std::int64_t const label = 8 * positions, tokens = 8 * label;
  std::int64_t bytes = 6 * tenon::internal::mpi::bytes_of_all_reduce(tokens, tp);
  bytes += tenon::internal::mpi::bytes_of_all_reduce(label, tp) +
           tenon::internal::mpi::bytes_of_all_reduce(2 * label, tp);
  bytes += tenon::internal::mpi::bytes_of_all_reduce(8, dp);
  for_each_pair(weights, weights, [&](auto const& weight, auto const&) {
    bytes += tenon::internal::mpi::bytes_of_all_reduce(8 * weight.unchecked_local.size(), dp);
  });
  return bytes;
}

/// The loss and the gradients on a mesh, compared with one rank.
void compare(World const& world, int tp) {
  Mesh<"dp tp"> const mesh(world, world.size() / tp, tp);
  auto const one = tenon::init::normal<Block<Here>>(Key(3), 0.5);
  Ids const all = uniform<Ids>(Key(4), 0, 11, 5, time_steps + 1);
  Ids const ids = slice<"t", 0, time_steps>(all), next = slice<"t", 1, time_steps + 1>(all);
  auto const hidden =
      eval(iota<Int32<"s">>(time_steps) > unsqueeze<-1>(iota<Int32<"t">>(time_steps)));
  auto const [expected, wanted] =
      value_and_grad([&](auto const& block) { return loss_of(block, ids, next, hidden); })(one);

  Block<There> many;
  for_each_pair(many, one, [&](auto& to, auto const& from) { place(mesh, to, from); });
  auto const own_ids = shard<"batch@dp t">(mesh, ids), own_next = shard<"batch@dp t">(mesh, next);
  auto const own_hidden = replicated(mesh, hidden);
  tenon::mpi::Traffic const traffic;
  auto const [loss, got] = value_and_grad([&](auto const& block) {
    return unshard(loss_of(block, own_ids, own_next, own_hidden));
  })(many);
  CHECK(traffic.sent() == traffic.by(tenon::mpi::Sends::all_reduce).sent);
  CHECK(traffic.sent() == least_bytes(mesh, many, own_ids.unchecked_local.size()));
  CHECK(std::abs(loss.item() - expected.item()) < 1e-13);
  for_each_pair(got, wanted, [](auto const& ours, auto const& theirs) {
    CHECK(max(abs(unshard(ours) - theirs)).item() < 1e-13);
  });
}

}  // namespace

TEST_CASE("a transformer block on a mesh agrees with one rank") {
  World const world;
  for (int tp = 1; tp <= world.size(); ++tp) {
    if (world.size() % tp == 0) compare(world, tp);
  }
}

}  // namespace transformer_test
