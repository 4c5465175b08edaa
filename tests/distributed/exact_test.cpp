// Exact sums over ranks: the same bits for any number of ranks and any sharding.
#include "ranks.hpp"

#include <bit>
#include <limits>
#include <vector>

#include <tenon/distributed/collectives/exact_reduction.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/sharding/exact_shards.hpp>

namespace exact_test {

using namespace tenon::internal;

using namespace ranks;

namespace {

template <class T>
using Limits = std::numeric_limits<T>;

template <class T>
bool same_bits(T a, T b) {
  return std::bit_cast<std::array<std::byte, sizeof(T)>>(a) ==
         std::bit_cast<std::array<std::byte, sizeof(T)>>(b);
}

template <class T>
using Numbers = Tensor<T, "n">;

/// The rows of this rank in an uneven sharding, in which the first rank has none.
template <TensorType X>
X own_rows(X const& all, Group const& group) {
  std::int64_t const count = size<"n">(all), ranks = group.size(), rank = group.rank();
  std::int64_t const parts = ranks * (ranks - 1) / 2;
  auto const until = [&](std::int64_t r) {
    return r * (r - 1) / 2 * count / std::max<std::int64_t>(parts, 1);
  };
  std::int64_t const first = parts == 0 ? 0 : until(rank);
  std::int64_t const last = rank == ranks - 1 ? count : until(rank + 1);
  std::int64_t const entry = X::rank == 1 ? 1 : all.size() / std::max<std::int64_t>(count, 1);
  Sizes sizes = all.sizes();
  sizes[0] = last - first;
  X own = X::uninitialised(sizes);
  std::copy_n(all.data() + first * entry, own.size(), own.mutable_data());
  return own;
}

template <class T>
Numbers<T> numbers(std::vector<double> const& values) {
  auto x =
      Numbers<T>::uninitialised({static_cast<std::int64_t>(values.size()), 1, 1, 1, 1, 1, 1, 1});
  for (std::size_t i = 0; i < values.size(); ++i) x.mutable_data()[i] = static_cast<T>(values[i]);
  return x;
}

/// Checks that sum and mean over all ranks equal those of one rank, bit for bit, for two shardings;
/// returns the sum.
template <class T>
T sum_of_all(Numbers<T> const& all, Group const& group) {
  T const one = exact_sum(all, Group()).item(), one_mean = exact_mean(all, Group()).item();
  for (auto const& own : {own_rows(all, group), Numbers<T>(part_of<"n">(all, group))}) {
    CHECK(same_bits(exact_sum(own, group).item(), one));
    CHECK(same_bits(exact_mean<"n">(own, group).item(), one_mean));
  }
  return one;
}
template <class T>
T sum_of(std::vector<double> const& values, Group const& group) {
  return sum_of_all(numbers<T>(values), group);
}

/// Pseudo-random numbers between -1 and 1 times powers of two from -magnitudes to magnitudes, the
/// same on every machine. (Knuth's MMIX generator.)
template <class T>
Numbers<T> wild(int magnitudes) {
  std::vector<double> values;
  std::uint64_t state = 1;
  for (int i = 0; i < 1001; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    int const power = static_cast<int>(state >> 20 & 0xfff) % (2 * magnitudes + 1) - magnitudes;
    values.push_back(std::ldexp(static_cast<double>(state >> 33) - 0x1p30, power - 30));
  }
  return numbers<T>(values);
}

}  // namespace

TEST_CASE("sums have the same bits for any number of ranks and any sharding") {
  World const world;
  Group const& group = world.group();
  // The same for every number of ranks; computed with fractions in Python.
  CHECK(sum_of_all(wild<double>(200), group) == 0x1.1d778f160d93dp+195);
  CHECK(sum_of_all(wild<float>(60), group) == -0x1.17776ap+62f);
  CHECK(float(sum_of_all(wild<bfloat16>(60), group)) == -0x1.18p+62f);
  CHECK(float(sum_of_all(wild<float16>(6), group)) == 0x1.6fp+9f);
}
TEST_CASE("a sum is exact, and rounded once") {
  World const world;
  Group const& group = world.group();
  CHECK(sum_of<float>({1e30, 1, -1e30}, group) == 1);
  CHECK(sum_of<double>({1e300, 1, -1e300, 1e-300}, group) == 1);
  CHECK(sum_of<float>({0x1p24, 1, 0x1p-140}, group) == 0x1p24f + 2);  // above the midpoint
  CHECK(sum_of<float>({0x1p24, 1}, group) == 0x1p24f);                // the midpoint: to even
  CHECK(sum_of<bfloat16>({256, 1, 0x1p-20}, group) == bfloat16(258));
  CHECK(sum_of<bfloat16>({256, 1}, group) == bfloat16(256));
  float const tiny = Limits<float>::denorm_min();
  CHECK(sum_of<float>({tiny, tiny, -1, tiny, 1}, group) == 3 * tiny);
  CHECK(sum_of<double>({0x1p-1074, 0x1p-1022, -0x1p-1073}, group) == 0x1p-1022 - 0x1p-1074);
  CHECK(!std::signbit(sum_of<double>({-0.0, -0.0}, group)));
  CHECK(sum_of<double>({}, group) == 0);
  CHECK(std::isnan(exact_mean(numbers<float>({}), group).item()));
}

TEST_CASE("intermediate overflow does not affect the sum; infinities and NaN propagate") {
  World const world;
  Group const& group = world.group();
  double const huge = Limits<double>::max(), inf = Limits<double>::infinity();
  double const nan = Limits<double>::quiet_NaN();
  CHECK(sum_of<double>({huge, huge, -huge}, group) == huge);
  CHECK(sum_of<double>({-huge, -huge}, group) == -inf);
  CHECK(exact_mean(own_rows(numbers<double>({huge, huge, huge}), group), group).item() == huge);
  CHECK(sum_of<float>({inf, 1, 2}, group) == Limits<float>::infinity());
  CHECK(sum_of<float>({1, -inf, 2}, group) == -Limits<float>::infinity());
  CHECK(std::isnan(exact_sum(own_rows(numbers<float>({inf, 1, -inf}), group), group).item()));
  CHECK(std::isnan(exact_sum(own_rows(numbers<double>({nan, 1, -inf}), group), group).item()));
  std::vector<double> many(1500, -0.25);
  CHECK(sum_of<double>(many, group) == -375);
  many[700] = inf;
  CHECK(sum_of<float>(many, group) == Limits<float>::infinity());
  CHECK(sum_of<float16>({65504, 65504}, group) == float16(inf));
}

TEST_CASE("axes are reduced by name, the others are kept") {
  World const world;
  Group const& group = world.group();
  using Cube = Float32<"n row=3 column=2">;
  Cube const all = normal<Cube>(Key(4), 9);
  Cube const own = own_rows(all, group);
  auto const check = [&](auto const& found, auto const& expected) {
    REQUIRE(found.size() == expected.size());
    for (std::int64_t i = 0; i < found.size(); ++i)
      CHECK(same_bits(found.data()[i], expected.data()[i]));
    double const error = max(abs(found - expected)).item();
    CHECK(error == 0);
  };
  Float32<"row=3"> const middle = exact_sum<"n column">(own, group);
  check(middle, exact_sum<"n column">(all, Group()));
  CHECK(max(abs(middle - sum<"n column">(all))).item() < 1e-5f);
  Float32<"row=3 column=2"> const kept = exact_mean<0>(own * 2.0f, group);
  check(kept, exact_mean<"n">(all * 2.0f, Group()));
  CHECK(max(abs(kept - 2.0f * mean<"n">(all))).item() < 1e-5f);
  Float32<"column=2"> const last = exact_sum<"n row">(own, group);
  CHECK(max(abs(last - sum<"n row">(all))).item() < 1e-5f);
  Float32<""> const one = exact_sum(Float32<"">(2.0f), group);
  CHECK(one.item() == 2.0f * float(group.size()));
}

TEST_CASE("sharded tensors: the same bits on any mesh") {
  World const world;
  int const tp = world.size() % 2 == 0 ? 2 : 1;
  Mesh<"dp tp"> const mesh(world, world.size() / tp, tp);
  using X = Float64<"batch in=5">;
  X const all = normal<X>(Key(7), 11);
  auto const x = shard<"batch@dp in@tp">(mesh, all);
  auto const mean_of_all = exact_mean(x);
  CHECK(same_bits(mean_of_all.unchecked_local.item(), exact_mean(all, Group()).item()));
  auto const columns = exact_sum<"batch">(x);
  static_assert(sharding_of<decltype(columns)> == "in=5@tp");
  auto const expected = exact_sum<"batch">(all, Group());
  CHECK(max(abs(unshard(columns) - expected)).item() == 0);
  auto const rows = exact_mean<"in">(reshard<"batch@dp in">(x));
  static_assert(sharding_of<decltype(rows)> == "batch@dp");
  CHECK(max(abs(unshard(rows) - exact_mean<"in">(all, Group()))).item() == 0);
}

TEST_CASE("an exact mean has the gradient of a mean") {
  World const world;
  Group const& group = world.group();
  using Rows = Float64<"n d=2">;
  Rows const own = own_rows(rows(0, 7), group);
  auto const loss = [&](Rows const& x) {
    return sum(square(exact_mean<"n">(x * x, group)) + exact_sum<"n">(x, group));
  };
  CHECK(worst_gradient(loss, own, group) < 1e-4);
}

TEST_CASE("a pending exact sum is reduced over ranks") {
  World const world;
  ExactSum<double> own, other;
  for (int i = 0; i < 5; ++i) own.add(world.rank() + 0.1 * i);
  for (double const x : {1e200, -3.0, -1e200}) other.add(x);
  own += other;
  auto const all = all_reduce(own, world.group());
  double const n = world.size();
  CHECK(all.value() == doctest::Approx(5 * n * (n - 1) / 2 + n - 3 * n));
  CHECK(all.mean(8) == all.value() / 8);
  ExactSum<float> const nothing;
  CHECK(all_reduce(nothing, world.group()).value<double>() == 0);
}

}  // namespace exact_test
