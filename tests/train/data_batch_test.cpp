// The batches of elements of many types.

#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/tensor/complex.hpp>
#include <tenon/train/data.hpp>

namespace data_batch_test {

using namespace tenon;
using namespace tenon::training;

namespace {

struct Digit {
  Float32<"2 2"> image;
  std::int32_t label = 0;
};

struct Batch {
  Int32<"batch"> label;
  Float32<"batch height=2 width=2"> image;
};

std::vector<Digit> digits() {
  return {{{{1, 2}, {3, 4}}, 7}, {{{5, 6}, {7, 8}}, 8}, {{{9, 10}, {11, 12}}, 9}};
}

}  // namespace

TEST_CASE("bools, complex numbers and numbers of 16 bits become tensors too") {
  auto const flags = data_loader<"n">(std::vector<bool>{true, false}, {.batch_size = 2}).next();
  static_assert(std::is_same_v<decltype(flags), Mask<"n"> const>);
  CHECK(flags(0));
  CHECK_FALSE(flags(1));
  std::vector<bfloat16> const halves{bfloat16(0.5f), bfloat16(2.0f)};
  BFloat16<"n"> const values = data_loader<"n">(halves, {.batch_size = 2}).next();
  CHECK(static_cast<float>(values(1)) == 2);
  std::vector<std::complex<float>> const numbers{{1, 2}, {3, 4}};
  CHECK(data_loader<"n">(numbers, {.batch_size = 2}).next()(1) == std::complex<float>(3, 4));
}

TEST_CASE("tensors are stacked, with the axes of an element behind that of the batch") {
  std::vector<Float32<"row=2 column">> const source{{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {0, 1, 2}}};
  auto const batch = data_loader<"batch">(source, {.batch_size = 4}).next();
  static_assert(std::is_same_v<decltype(batch), Float32<"batch row=2 column"> const>);
  CHECK(batch.sizes()[0] == 2);
  CHECK(batch.sizes()[2] == 3);
  CHECK(batch(0, 1, 0) == 4);
  CHECK(batch(1, 0, 2) == 9);
}

TEST_CASE("scalars, arrays of numbers and expressions are elements") {
  std::vector<std::array<float, 3>> const points{{1, 2, 3}, {4, 5, 6}};
  Float32<"batch 3"> const stacked = data_loader<"batch">(points, {.batch_size = 2}).next();
  CHECK(stacked(1, 0) == 4);
  auto const halves =
      map_dataset(points, [](std::array<float, 3> const& p) { return Float32<"axis=3">(p) / 2; });
  Float32<"batch axis=3"> const half = data_loader<"batch">(halves, {.batch_size = 2}).next();
  CHECK(half(1, 2) == 3);
  std::vector<Float32<"">> const scalars{{1.0f}, {2.0f}};
  CHECK(data_loader<"batch">(scalars, {.batch_size = 2}).next()(1) == 2);
}

TEST_CASE("pairs, tuples and arrays of others give a batch for each of their parts") {
  using Element = std::pair<std::int32_t, std::tuple<float, std::array<Float32<"2">, 2>>>;
  std::vector<Element> const source{{1, {0.5f, {{{1, 2}, {3, 4}}}}},
                                    {2, {1.5f, {{{5, 6}, {7, 8}}}}}};
  auto const [labels, parts] = data_loader<"batch">(source, {.batch_size = 2}).next();
  CHECK(labels(1) == 2);
  CHECK(std::get<0>(parts)(1) == 1.5f);
  std::array<Float32<"batch 2">, 2> const& pairs = std::get<1>(parts);
  CHECK(pairs[0](1, 0) == 5);
  CHECK(pairs[1](0, 1) == 4);
}

TEST_CASE("a struct of batches is filled from the fields of the same names, in any order") {
  auto loader = data_loader<"batch", Batch>(digits(), {.batch_size = 2});
  Batch const first = loader.next();
  CHECK(first.image.sizes()[0] == 2);
  CHECK(first.image(1, 0, 1) == 6);
  CHECK(first.label(0) == 7);
  CHECK(loader.next().label(0) == 9);
}

TEST_CASE("fields of one type in another order are not exchanged; parts of a pair are in order") {
  struct Point {
    float x, y;
  };
  struct Points {
    Float32<"batch"> y, x;
  };
  Points const points = data_loader<"batch", Points>(std::vector<Point>{{1, 2}}).next();
  CHECK(points.x(0) == 1);
  CHECK(points.y(0) == 2);
  std::vector<std::pair<float, float>> const pairs{{1.0f, 2.0f}};
  CHECK(data_loader<"batch", Points>(pairs).next().y(0) == 1);
}

TEST_CASE("the rows of tensors are a dataset") {
  UInt8<"image 2"> const images{{1, 2}, {3, 4}, {5, 6}};
  Int32<"image"> const labels{7, 8, 9};
  auto const both = tensor_dataset(images, labels);
  REQUIRE(both.size() == 3);
  CHECK(std::get<0>(both[2])(1) == 6);
  CHECK(std::get<1>(both[1]).item() == 8);
  auto const [x, y] = data_loader<"batch">(both, {.batch_size = 3}).next();
  static_assert(std::is_same_v<decltype(x), UInt8<"batch 2"> const>);
  CHECK(x(2, 0) == 5);
  CHECK(y(2) == 9);
  CHECK(tensor_dataset(images)[1](1) == 4);
  CHECK_THROWS_WITH_AS(
      tensor_dataset(images, Int32<"n">{1, 2}),
      "tenon::tensor_dataset: 'first axis': expected 3 as in the first tensor, got 2", ShapeError);
}

TEST_CASE("a rank without a part of a batch has an empty one, with the sizes of elements") {
  std::vector<Float32<"row">> const source{{1, 2, 3}};
  auto const batch = data_loader<"batch">(source, {.rank = 1, .ranks = 2}).next();
  CHECK(batch.sizes()[0] == 0);
  CHECK(batch.sizes()[1] == 3);
}

TEST_CASE("elements of different sizes do not fit into one batch") {
  std::vector<Float32<"row=2 n">> const source{{{1}, {2}}, {{1, 2}, {3, 4}}};
  CHECK(data_loader<"batch">(source).next().sizes()[2] == 1);
  CHECK_THROWS_WITH_AS(
      (data_loader<"batch">(source, {.batch_size = 2}).next()),
      R"(tenon::DataLoader: 'element 1': expected the sizes of the first element of its batch, "2 1", got "2 2")",
      ShapeError);
}

}  // namespace data_batch_test
