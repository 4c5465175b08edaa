// Views of sharded tensors: written like those of tensors, with the result of one rank.

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

/// Runs a check on every mesh of all ranks.
template <class F>
void on_each_mesh(F const& holds) {
  World const world;
  for (int tp = 1; tp <= world.size(); ++tp)
    if (world.size() % tp == 0) holds(Mesh<"dp tp">(world, world.size() / tp, tp));
}

/// True if the shards of all ranks form the same tensor.
template <ShardType X, Expression Y>
bool same(X const& parts, Y const& expected) {
  auto const found = unshard(parts);
  if (parts.sizes() != expected.sizes() || found.sizes() != expected.sizes()) return false;
  return found.size() == 0 || max(abs(found - expected)).item() == 0;
}

using Texts = Float64<"batch t=3 e=48">;
Texts const texts = normal<Texts>(Key(1), 5);
Texts const others = normal<Texts>(Key(2), 5);
Float64<"head=24"> const weights = normal<Float64<"head=24">>(Key(3));

/// The same code for tensors and for sharded tensors.
template <class X, class W>
auto mixed(X const& x, W const& weight) {
  auto const heads = rearrange<"batch t (head=24 d) -> d batch t head">(tanh(x)) * weight;
  auto const longer = concat<2>(pad<"t", 1, 0>(heads), flip<2>(slice<"t", 1, 3>(heads)));
  auto const pair = stack<"pair">(roll<2>(longer, 2), longer * longer);
  auto const merged = rearrange<"pair d batch t head -> batch (head t d) pair">(pair);
  return sum(square(take<"pair">(merged, 1)) + take<"pair">(merged, 0));
}

}  // namespace

TEST_CASE("a sharded axis of heads is split, moved and merged") {
  on_each_mesh([](auto const& mesh) {
    auto const x = shard<"batch@dp t e@tp">(mesh, texts);
    auto const heads = rearrange<"b t (h=24 d) -> b h t d">(x);
    static_assert(sharding_of<decltype(heads)> == "b@dp h=24@tp t=3 d=2");
    CHECK(same(heads, rearrange<"b t (h=24 d) -> b h t d">(texts)));
    auto const back = rearrange<"batch h t d -> batch t (h d)">(heads);
    static_assert(sharding_of<decltype(back)> == "batch@dp t=3 48@tp");
    Sharded<double, "batch@dp t=3 e=48@tp"> const named = back;
    CHECK(same(named, texts));
    auto const rows = rearrange<"b h t d -> (h b) t d">(reshard<"b h@tp t d">(heads));
    static_assert(sharding_of<decltype(rows)> == "24*b@tp t=3 d=2");
    static_assert(sharding_of<decltype(unsqueeze<"one", 1>(rows))> == "24*b@tp one=1 t=3 d=2");
    CHECK(same(rows, rearrange<"b t (h=24 d) -> (h b) t d">(texts)));
    CHECK(same(repeat<"b h t d -> b (h copy=2) t d">(heads),
               repeat<"b t (h=24 d) -> b (h copy=2) t d">(texts)));
  });
}

TEST_CASE("run-time sizes are split and merged, also if the size is zero") {
  on_each_mesh([](auto const& mesh) {
    for (std::int64_t const batch : {0, 1, 5}) {
      using Open = Float64<"batch e">;
      auto const x = normal<Open>(Key(4), batch, 8 * mesh.size("tp"));
      auto const parts = shard<"batch@dp e@tp">(mesh, x);
      auto const heads = rearrange<"batch (h d=4) -> h batch d">(parts);
      static_assert(sharding_of<decltype(heads)> == "h@tp batch@dp d=4");
      CHECK(same(heads, rearrange<"batch (h d=4) -> h batch d">(x)));
      auto const back = rearrange<"h batch d -> batch (h d)">(heads);
      CHECK(same(back, x));
      auto const uneven = rearrange<"batch e -> e 1 (batch 1)">(shard<"batch@tp e">(mesh, x));
      CHECK(same(uneven, rearrange<"batch e -> e 1 batch">(x)));
    }
  });
}

TEST_CASE("shards that would end within a head throw on all ranks") {
  on_each_mesh([](auto const& mesh) {
    auto const x = shard<"row@tp@dp column">(mesh, ones<Float64<"row=15 column=2">>());
    if (mesh.group().size() == 1) return void(rearrange<"(h=5 w) c -> h w c">(x));
    if (5 % mesh.group().size() == 0) return;
    CHECK_THROWS_AS((rearrange<"(h=5 w) c -> h w c">(x)), ShapeError);
    std::string const words = "tenon::rearrange: 'row=15': expected a multiple of the " +
                              std::to_string(mesh.group().size()) +
                              " ranks that divide it, or a reshard first, got 15 "
                              "(\"row=15@tp@dp column=2\")";
    if (15 % mesh.group().size() != 0)
      CHECK_THROWS_WITH_AS((rearrange<"row c -> (row c)">(x)), words.c_str(), ShapeError);
  });
}

TEST_CASE("along unsharded axes all views are those of tensors") {
  on_each_mesh([](auto const& mesh) {
    auto const x = shard<"batch@dp t e@tp">(mesh, texts);
    auto const y = shard<"batch@dp t e@tp">(mesh, others);
    auto const cut = slice<"t", 1, to_end>(x);
    static_assert(sharding_of<decltype(cut)> == "batch@dp t=2 e=48@tp");
    CHECK(same(cut, slice<"t", 1, to_end>(texts)));
    CHECK(same(slice<"t", 2>(x, 1), slice<"t", 2>(texts, 1)));
    CHECK(same(slice<"t">(x, 1, 2), slice<"t">(texts, 1, 2)));
    CHECK(same(slice<"t", 0, 3, 2>(x), slice<"t", 0, 3, 2>(texts)));
    auto const both = concat<"t">(x, y * 2.0, x);
    static_assert(sharding_of<decltype(both)> == "batch@dp t=9 e=48@tp");
    CHECK(same(both, concat<"t">(texts, others * 2.0, texts)));
    auto const layers = stack<"layer">(x, y);
    static_assert(sharding_of<decltype(layers)> == "layer=2 batch@dp t=3 e=48@tp");
    CHECK(same(layers, stack<"layer">(texts, others)));
    CHECK(same(take<"layer">(layers, -1), others));
    CHECK(same(pad<"t", 1, 2>(x, 0.5), pad<"t", 1, 2>(texts, 0.5)));
    CHECK(same(flip<"t">(x), flip<"t">(texts)));
    CHECK(same(roll<"t">(x, -4), roll<"t">(texts, -4)));
    CHECK(same(window<"t", 2>(x), window<"t", 2>(texts)));
    CHECK(same(squeeze<"one">(unsqueeze<"one", 1>(rename<"t -> time">(x))),
               rename<"t -> time">(texts)));
  });
}

TEST_CASE("whole tensors of different sizes throw, even if their shards have equal sizes") {
  on_each_mesh([](auto const& mesh) {
    auto const x = shard<"batch@dp t e">(mesh, texts);
    auto const y = shard<"batch@dp t e">(mesh, slice<"batch", 0, 4>(texts));
    CHECK_THROWS_AS((concat<"t">(x, y)), ShapeError);
    CHECK_THROWS_AS((stack<"layer">(x, y)), ShapeError);
  });
}

TEST_CASE("gradients agree with one rank and with central differences") {
  auto const one = [](Texts const& x) { return mixed(x, weights); };
  auto const [expected, wanted] = value_and_grad(one)(texts);
  Float64<"head=24"> const derivatives =
      grad([](Float64<"head=24"> const& w) { return mixed(texts, w); })(weights);
  Texts further = texts, nearer = texts;
  further(4, 1, 47) += 1e-5, nearer(4, 1, 47) -= 1e-5;
  double const derivative = (one(further).item() - one(nearer).item()) / 2e-5;
  CHECK(std::abs(derivative - wanted(4, 1, 47)) < 1e-6);
  on_each_mesh([&](auto const& mesh) {
    auto const x = shard<"batch@dp t e@tp">(mesh, texts);
    auto const w = shard<"head@tp">(mesh, weights);
    auto const loss = [](auto const& parts, auto const& weight) {
      return unshard(all_reduce(mixed(parts, weight)));
    };
    auto const [value, got] = value_and_grad([&](auto const& parts) { return loss(parts, w); })(x);
    CHECK(std::abs(value.item() - expected.item()) < 1e-12);
    CHECK(max(abs(unshard(got) - wanted)).item() < 1e-14);
    auto const of_weights = grad([&](auto const& weight) { return loss(x, weight); })(w);
    CHECK(max(abs(unshard(of_weights) - derivatives)).item() < 1e-12);
  });
}
