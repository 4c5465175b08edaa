// Gradients averaged during the backward pass equal those averaged afterwards.

#include <tenon/distributed/communication/world.hpp>
#include <tenon/distributed/data_parallel/average_gradients.hpp>
#include <tenon/distributed/data_parallel/overlapped_average.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

namespace overlapped_average_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

struct Model {
  Linear<"in=3", "hidden=4", double> first;
  Linear<"hidden=4", "hidden=4", double> second;
  Float64<"hidden=4"> last;
  Float32<"n"> other;
  BFloat16<"m"> half;
};

/// Integers, so that sums are exact in any order.
Model whole_numbers() {
  Model model;
  auto const fill = [](auto& leaf, double scale) {
    using T = typename Unqualified<decltype(leaf)>::value_type;
    for (std::int64_t i = 0; i < leaf.size(); ++i)
      leaf.mutable_data()[i] = static_cast<T>(static_cast<float>(scale * double(i % 5 - 2)));
  };
  model.other = ones<Float32<"n">>(100);
  model.half = ones<BFloat16<"m">>(3);
  fill(model.first.weight, 1), fill(model.first.bias, 2), fill(model.second.weight, 1);
  fill(model.second.bias, 1), fill(model.last, 3), fill(model.other, 1);
  return model;
}

/// A loss in which some leaves of the model are passed to `later`, to be averaged early.
auto const loss = [](Model const& model, auto const& later, Float64<"batch in=3"> const& x) {
  auto const hidden = later(model.first)(x);
  Float64<"batch hidden=4"> const again = later(model.second)(square(hidden));
  auto const rest = sum(square(to<double>(later(model.other))));
  auto const small = sum(to<double>(model.half));
  return sum(matmul(again, model.last)) + rest + small;
};

auto const as_it_is = [](auto const& part) { return part; };

bool same(auto const& a, auto const& b) {
  bool equal = true;
  tenon::tree::zip(
      [&](auto const& x, auto const& y) {
        for (std::int64_t i = 0; i < x.size(); ++i) equal = equal && x.data()[i] == y.data()[i];
      },
      a, b);
  return equal;
}

}  // namespace

TEST_CASE("averages during the backward pass equal the averages after it, bit for bit") {
  World const world;
  Group const& all = world.group();
  auto const model = whole_numbers();
  Float64<"batch in=3"> const x =
      round(4.0 * normal<Float64<"batch in=3">>(fold_in(Key(1), world.rank()), 6));
  auto const plain = [&](Model const& m) { return loss(m, as_it_is, x); };
  auto const [value, own] = value_and_grad(plain)(model);
  Model const expected = average_gradients(own, all);
  for (std::int64_t const bucket : {std::int64_t{1}, std::int64_t{100}, std::int64_t{1} << 20}) {
    auto const [got, mean] = value_and_grad_averaged(loss, all, bucket)(model, x);
    CHECK(got.item() == value.item());
    CHECK(same(mean, expected));
    auto const [at_end, all_at_end] = value_and_grad_averaged(plain, all, bucket)(model);
    CHECK(same(all_at_end, expected));
  }
  CHECK((world.size() == 1) == same(own, expected));
}

TEST_CASE("a leaf that is used both directly and through `later` has the sum of both gradients") {
  World const world;
  auto const w = Float64<"n">(iota<Float64<"n">>(5) + double(world.rank()));
  auto const twice = [](Float64<"n"> const& v, auto const& later) {
    return sum(later(v) * v) + sum(later(v));
  };
  auto const [value, mean] = value_and_grad_averaged(twice, world.group())(w);
  double const rank = (world.size() - 1) / 2.0;
  for (std::int64_t i = 0; i < 5; ++i) CHECK(mean(i) == 2 * (double(i) + rank) + 1);
}

TEST_CASE("an average starts before the end of the backward pass") {
  World const world;
  Group const& all = world.group();
  std::uint64_t begun = 0;
  auto const watched =
      custom_vjp([](Float64<"n"> const& x) { return x; },
                 [&](Float64<"n"> const& dy, Float64<"n"> const&, Float64<"n"> const&) {
                   begun = all.communicator().number();
                   return dy;
                 });
  std::uint64_t const before = all.communicator().number();
  auto const f = [&](Float64<"n"> const& v, auto const& later) {
    auto const early = watched(v);
    return sum(Float64<"n">(early * later(v)));
  };
  (void)value_and_grad_averaged(f, all, 8)(ones<Float64<"n">>(5));
  CHECK(begun == before + (all.size() > 1 ? 2 : 1));  // after the one of the trees
}

TEST_CASE("a leaf that is used directly by some ranks or in a checkpoint is averaged at the end") {
  World const world;
  struct Two {
    Float64<"n=3"> a, b;
  };
  Two const model{{1, 2, 3}, {4, 5, 6}};
  auto const of = [&](Two const& m, auto const& later) {
    Float64<"n=3"> const a = later(m.a), b = later(m.b);
    Float64<""> all = sum(a * b);
    if (world.rank() == 0) all = all + sum(m.a * 2.0);
    return all + checkpoint([&](Float64<"n=3"> const& x) { return eval(sum(later(x) * x)); })(m.b);
  };
  auto const later = value_and_grad_averaged(of, world.group())(model).second;
  auto const after =
      average_gradients(grad([&](Two const& m) { return of(m, as_it_is); })(model), world.group());
  CHECK(max(abs(later.a - after.a)).item() < 1e-13);
  CHECK(max(abs(later.b - after.b)).item() < 1e-13);
}

}  // namespace overlapped_average_test
