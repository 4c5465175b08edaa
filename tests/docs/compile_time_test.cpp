// The code that docs/compile_time.md shows.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <type_traits>

#include <tenon/tenon.hpp>

namespace docs_compile_time {
namespace {

using namespace tenon;

using Features = Float32<"batch hidden=16">;

struct Block {
  Float32<"hidden=16 wide=32"> up;
  Float32<"wide=32 hidden=16"> down;

  Features operator()(Features const& x) const {  // takes a tensor, returns a tensor
    return x + matmul(relu(matmul(x, up)), down);
  }
};

struct Network {
  std::array<Block, 12> blocks;  // one type: its statements are compiled once

  Features operator()(Features x) const {
    for (auto const& block : blocks) x = block(x);
    return x;
  }
};

/// The same, written so that its type grows with every call.
auto lazy_layer(Float<"batch hidden=16"> auto const& x) { return tanh(x + 1); }

/// One function for matrices of every size: sizes are known at run time.
Float32<"row"> row_norms(Float32<"row column"> const& x) { return sqrt(sum<"column">(square(x))); }

TEST_CASE("the type of a layer that ends with a tensor does not grow") {
  Block const block{};
  auto const x = ones<Features>(3);
  static_assert(std::is_same_v<decltype(block(block(x))), Features>);
  auto const once = lazy_layer(x);
  auto const twice = lazy_layer(once);  // another type, with the first inside
  static_assert(!std::is_same_v<decltype(once), decltype(twice)>);
  CHECK(block(x)(2, 15) == 1);
  CHECK(twice(0, 0) == doctest::Approx(std::tanh(std::tanh(2.0f) + 1)));
}

TEST_CASE("a network loops over blocks of one type") {
  auto const network = init::normal<Network>(Key{1}, 0.02);
  CHECK(network(ones<Features>(3)).size() == 48);
}

TEST_CASE("a function of run-time sizes takes tensors of static ones") {
  Float32<"row=2 column=2"> const small{{3, 4}, {6, 8}};
  CHECK(row_norms(small)(1) == 10);
  CHECK(row_norms(ones<Float32<"row column=4">>(5))(4) == 2);
}

}  // namespace
}  // namespace docs_compile_time
