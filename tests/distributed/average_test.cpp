// Data parallel training agrees with one rank on the whole batch.

#include <tenon/distributed/communication/world.hpp>
#include <tenon/distributed/data_parallel/average_gradients.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

namespace average_test {

using namespace tenon;

namespace {

struct Model {
  Linear<"in=3", "out=2"> first;
  Float64<"n"> second;
  Frozen<Float32<"n">> constant;
  BFloat16<"n"> half;
};

}  // namespace

TEST_CASE("gradients are averaged over ranks, leaf by leaf, in buckets of any size") {
  World const world;
  double const ranks = world.size(), own = world.rank();
  Model model;
  model.first.weight = full_like(model.first.weight, float(own));
  model.second = iota<Float64<"n">>(5) + own;
  model.constant.value = ones<Float32<"n">>(2) * float(own);
  model.half = ones<BFloat16<"n">>(3) * float(own);
  for (std::int64_t const bucket : {std::int64_t{1}, std::int64_t{8}, std::int64_t{1} << 20}) {
    Model const mean = average_gradients(model, world.group(), bucket);
    CHECK(mean.first.weight(1, 1) == doctest::Approx((ranks - 1) / 2));
    CHECK(mean.second(4) == doctest::Approx(4 + (ranks - 1) / 2));
    CHECK(float(mean.half(2)) == doctest::Approx((ranks - 1) / 2));
    CHECK(mean.constant.value(0) == float(own));
  }
}

TEST_CASE("means over micro-batches have the gradient of the mean over the batch") {
  World const world;
  Group const& group = world.group();
  using Batch = Float64<"batch in=3">;
  Batch const all = normal<Batch>(Key(5), 4 * group.size());
  Batch const own = slice<"batch", 4>(all, 4 * group.rank());
  auto const loss = [](Float64<"in=3"> const& w, Batch const& x) {
    return mean(square(tanh(matmul(x, w))));
  };
  auto const w = normal<Float64<"in=3">>(Key(6));
  auto const gradient = average_gradients(grad(loss)(w, own), group);
  CHECK(max(abs(gradient - grad(loss)(w, all))).item() < 1e-15);
}

}  // namespace average_test
