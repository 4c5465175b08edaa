// Functions of shards: values and gradients agree with one rank, on every mesh.

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/sharding/local_map.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/distributed/zero/unshard.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

namespace local_map_test {

using namespace tenon;

namespace {

using X = Float64<"n d=6">;
using W = Float64<"d=6 out=4">;
using V = Float64<"d=6">;

X const rows = normal<X>(Key(1), 12);
W const weights = normal<W>(Key(2));
V const scales = normal<V>(Key(3));

template <class A, class B>
double difference(A const& a, B const& b) {
  return max(abs(a - b)).item() / max(abs(b)).item();
}

/// A tensor with two shardings, and a replicated one.
struct Setting {
  World world{};
  int tp = world.size() % 2 == 0 ? 2 : 1;
  Mesh<"dp tp"> mesh{world, world.size() / tp, tp};
  Sharded<double, "n@dp d=6"> x = shard<"n@dp d">(mesh, rows);
  Sharded<double, "d=6 out=4@tp"> w = shard<"d out@tp">(mesh, weights);
  Sharded<double, "d=6"> v = replicated(mesh, scales);
};

}  // namespace

TEST_CASE("a function of shards returns a shard of its result") {
  Setting const at;
  auto const scaled = local_map<"n@dp d">([](auto const& x, auto const& v) {
    return cumsum<"d">(x) * v;  // cumsum has no rule over shards
  });
  auto const got = scaled(at.x, at.v);
  static_assert(sharding_of<decltype(got)> == "n@dp d=6");
  CHECK(difference(unshard(got), cumsum<"d">(rows) * scales) < 1e-15);
}

TEST_CASE("gradients of a function of shards agree with one rank") {
  Setting const at;
  auto const f = [](auto const& x, auto const& w, auto const& v) {
    return matmul(cumsum<"d">(x) * v, tanh(w));
  };
  auto const loss = [&](auto const& x, auto const& w, auto const& v) -> Float64<""> {
    return unshard(all_reduce(sum(square(local_map<"n@dp out@tp">(f)(x, w, v)))));
  };
  auto const one = [&](auto const& x, auto const& w, auto const& v) -> Float64<""> {
    return sum(square(f(x, w, v)));
  };
  auto const of_x = grad([&](auto const& x) { return loss(x, at.w, at.v); })(at.x);
  auto const of_w = grad([&](auto const& w) { return loss(at.x, w, at.v); })(at.w);
  auto const of_v = grad([&](auto const& v) { return loss(at.x, at.w, v); })(at.v);
  CHECK(difference(unshard(of_x), grad([&](X const& x) { return one(x, weights, scales); })(rows)) <
        1e-13);
  CHECK(difference(unshard(of_w), grad([&](W const& w) { return one(rows, w, scales); })(weights)) <
        1e-13);
  CHECK(difference(unshard(of_v), grad([&](V const& v) { return one(rows, weights, v); })(scales)) <
        1e-13);
}

TEST_CASE("a partial sum as the result is reduced") {
  Setting const at;
  auto const loss = [&](auto const& v) -> Float64<""> {
    auto const parts = local_map<"", "dp">([](auto const& x, auto const& scale, double power) {
      return sum(square(power * cumsum<"d">(x) * scale));
    })(at.x, v, 2.0);
    static_assert(PartialShardType<decltype(parts)>);
    return unshard(all_reduce(parts));
  };
  auto const one = [&](V const& v) -> Float64<""> {
    return sum(square(2.0 * cumsum<"d">(rows) * v));
  };
  CHECK(loss(at.v).item() == doctest::Approx(one(scales).item()).epsilon(1e-13));
  CHECK(difference(unshard(grad(loss)(at.v)), grad(one)(scales)) < 1e-13);
}

TEST_CASE("a weight that is unsharded late, and a plain replicated weight, have gradients") {
  Setting const at;
  auto const f = [](auto const& x, auto const& w) { return matmul(cumsum<"d">(x), w); };
  auto const loss = [&](auto const& w) -> Float64<""> {
    auto const all = replicated(at.mesh, w);
    return unshard(all_reduce(sum(square(local_map<"n@dp out">(f)(at.x, all)))));
  };
  auto const expected =
      grad([&](W const& w) -> Float64<""> { return sum(square(f(rows, w))); })(weights);
  CHECK(difference(grad(loss)(weights), expected) < 1e-13);
  auto const late = grad([&](Sharded<double, "d=6@dp out=4"> const& w) -> Float64<""> {
    auto const y = local_map<"n@dp out">(f)(at.x, unshard<"dp">(w));
    return unshard(all_reduce(sum(square(y))));
  })(shard<"d@dp out">(at.mesh, weights));
  CHECK(difference(unshard(late), expected) < 1e-13);
}

namespace {

/// The error of the gradient of sum((f of the rows)^2) for functions with collectives over `dp`.
template <class Many, class One>
double error_of_collected(Setting const& at, Many const& many, One const& one) {
  auto const got = grad([&](auto const& x) -> Float64<""> {
    return unshard(all_reduce(sum(square(local_map<"n@dp d">(many)(x, at.mesh)))));
  })(at.x);
  auto const expected = grad([&](X const& x) -> Float64<""> { return sum(square(one(x))); })(rows);
  return difference(unshard(got), expected);
}

}  // namespace

TEST_CASE("collectives within a function of shards have the gradient of the whole") {
  Setting const at;
  auto const centred = [](auto const& x, LocalMesh const& mesh) {
    return eval(x - all_reduce(sum<"n">(x), mesh.group("dp")) / 12.0);
  };
  CHECK(error_of_collected(at, centred, [](X const& x) { return eval(x - mean<"n">(x)); }) < 1e-12);
  auto const scaled = [](auto const& x, LocalMesh const& mesh) {
    return eval(x * sum<"n">(square(all_gather<"n">(x, mesh.group("dp")))));
  };
  CHECK(error_of_collected(at, scaled, [](X const& x) { return eval(x * sum<"n">(square(x))); }) <
        1e-12);
  auto const faded = [](auto const& x, LocalMesh const& mesh) {
    return eval(x * exp(-all_reduce<op::max>(eval(max(x)), mesh.group("dp"))));
  };
  CHECK(error_of_collected(at, faded, [](X const& x) { return eval(x * exp(-max(x))); }) < 1e-12);
  auto const turned = [](auto const& x, LocalMesh const& mesh) {
    LocalGroup const dp = mesh.group("dp");
    return eval(shift(shift(x, 1, dp), 1 - dp.size(), dp) * all_reduce<op::mean>(sum(x), dp));
  };
  double const ranks = at.mesh.group<"dp">().size();
  CHECK(error_of_collected(at, turned, [&](X const& x) { return eval(x * (sum(x) / ranks)); }) <
        1e-12);
}

TEST_CASE("a function of shards can use the groups of the axes that shard its operands only") {
  Setting const at;
  auto const along_tp = local_map<"n@dp d">(
      [](auto const& x, LocalMesh const& mesh) { return eval(all_reduce(x, mesh.group("tp"))); });
  CHECK_THROWS_WITH_AS((void)along_tp(at.x, at.mesh),
                       doctest::Contains("expected an axis of the mesh that divides operands"),
                       Error);
}

TEST_CASE("a result that is not this rank's shard throws") {
  Setting const at;
  auto const twice = local_map<"n@dp d">([](auto const& x) { return concat<"n">(x, x); });
  CHECK_THROWS_WITH_AS((void)twice(at.x), doctest::Contains("expected this rank's part of"),
                       ShapeError);
}

}  // namespace local_map_test
