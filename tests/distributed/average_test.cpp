// Data parallel training agrees with one rank on the whole batch.

#include <algorithm>
#include <string>

#include <tenon/distributed/communication/world.hpp>
#include <tenon/distributed/data_parallel/average_gradients.hpp>
#include <tenon/distributed/data_parallel/overlapped_average.hpp>

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

TEST_CASE("means over parts of different sizes, also empty ones, have the weight of their sizes") {
  World const world;
  Group const& group = world.group();
  using Batch = Float64<"batch in=3">;
  std::int64_t const rank = group.rank(), ranks = group.size();
  std::int64_t const size = ranks == 1 ? 1 : rank;  // none of the first
  std::int64_t const rows = std::max<std::int64_t>(ranks * (ranks - 1) / 2, 1);
  Batch const all = round(4.0 * normal<Batch>(Key(5), rows));
  Batch const own = slice<"batch">(all, rank * (rank - 1) / 2, rank * (rank - 1) / 2 + size);
  auto const loss = [](Float64<"in=3"> const& w, Batch const& x) {
    double const of_none_nan = 0.0 / double(x.sizes()[0]);
    return mean(square(matmul(x, w))) + sum(w) * of_none_nan;
  };
  Float64<"in=3"> const w{1, 2, 3};
  auto const expected = grad(loss)(w, all);
  auto const weight = static_cast<double>(size);
  auto const mean = average_gradients(grad(loss)(w, own), weight, group);
  CHECK(max(abs(mean - expected)).item() < 1e-12);
  auto const overlapped = value_and_grad_averaged(loss, weight, group)(w, own).second;
  CHECK(max(abs(overlapped - expected)).item() < 1e-12);
  auto const none = average_gradients(grad(loss)(w, zeros<Batch>(0)), 0.0, group);
  CHECK(max(abs(none)).item() == 0);
}

TEST_CASE("equal weights give the plain mean, and weights that are none are refused on all ranks") {
  World const world;
  auto const w = Float64<"n">(iota<Float64<"n">>(5) * 0.3 + double(world.rank()));
  auto const plain = average_gradients(w, world.group());
  CHECK(max(abs(average_gradients(w, 7.0, world.group()) - plain)).item() == 0);
  double const own = world.rank() == 0 ? -1 : 1;
  std::string const rank = world.size() == 1 ? "" : " (rank 0)";
  CHECK_THROWS_WITH_AS(average_gradients(w, own, world.group()),
                       ("tenon::average_gradients: 'weight': expected a finite number of at least "
                        "0, got -1.000000" +
                        rank)
                           .c_str(),
                       ValueError);
}

}  // namespace average_test
