#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <tuple>
#include <vector>

#include <tenon/tenon.hpp>

namespace move_tree_test {

using namespace tenon;

namespace {

template <class T, class D = Cpu>
struct Layer {
  Tensor<T, "in=2 out", D> weight;
  Frozen<Tensor<T, "out", D>> bias;
  Int32<"out", D> ids;
  T epsilon = T(0.5);
  Constant<std::vector<T>> table;
};
template <class T, class D = Cpu>
struct Model {
  std::vector<Layer<T, D>> layers;
  std::array<Tensor<T, "2", D>, 2> rows;
  std::optional<Tensor<T, "2", D>> scale;
  Float32<"2", D> fixed;
};

Model<float> model() {
  return {.layers = {{{{1, 2, 3}, {4, 5, 6}}, Float32<"out">{7, 8, 9}, {1, 2, 3}, 0.25f, {}}},
          .rows = {{{1, 2}, {3, 4}}},
          .scale = Float32<"2">{5, 6},
          .fixed = {7, 8}};
}

template <class T, class To>
concept Converts = requires(T const& tree) {
  { to<To>(tree) } -> std::same_as<T>;
};

}  // namespace

TEST_CASE("a model that is a template of its dtype is converted to another dtype") {
  Model<double> const wide = to<double>(model());
  CHECK(wide.layers[0].weight(1, 2) == 6.0);
  CHECK(wide.layers[0].bias->operator()(1) == 8.0);
  CHECK(wide.layers[0].ids(2) == 3);
  CHECK(wide.layers[0].epsilon == 0.25);
  CHECK(wide.rows[1](0) == 3.0);
  CHECK((*wide.scale)(1) == 6.0);
  CHECK(wide.fixed(1) == 8.0f);
  Model<bfloat16> const half = to<bfloat16>(wide);
  CHECK(float(half.layers[0].weight(0, 1)) == 2.0f);
  CHECK(to<float>(half).rows[0](1) == 2.0f);
}

TEST_CASE("layers are converted, whether they name their dtype or not") {
  using Layer = Linear<"in=2", "out=3">;
  std::vector<Layer> const layers{{{{1, 2, 3}, {4, 5, 6}}, {7, 8, 9}}};
  std::vector<Linear<"in=2", "out=3", bfloat16>> const halves = to<bfloat16>(layers);
  CHECK(halves[0].weight(1, 2) == bfloat16(6));
  std::vector<Layer> const back = to<float>(halves);
  CHECK(back[0].bias(1) == 8.0f);
  static_assert(std::same_as<decltype(to<double>(MultiheadAttention<"embed=4", 2>())),
                             MultiheadAttention<"embed=4", 2, double>>);
  static_assert(std::same_as<decltype(to<bfloat16>(
                                 MixtureOfExperts<"embed=4", "hidden=8", "expert=2", 1, double>())),
                             MixtureOfExperts<"embed=4", "hidden=8", "expert=2", 1, bfloat16>>);
  static_assert(
      std::same_as<decltype(to<double>(LayerNorm<"embed=4">())), LayerNorm<"embed=4", double>>);
  using Experts = MixtureOfExperts<"embed=4", "hidden=8", "expert=2", 1>;
  static_assert(std::same_as<decltype(to<float>(to<double>(Experts()))), Experts>);
}

TEST_CASE("containers of tensors are converted to containers of other tensors") {
  std::tuple<Float64<"n">, Int32<"n">> const two =
      to<double>(std::tuple(Float32<"n">{1, 2}, Int32<"n">{3}));
  CHECK(std::get<0>(two)(1) == 2.0);
  std::array<Float32<"2", Reference>, 2> const there = to<Reference>(model().rows);
  CHECK(there[1](1) == 4.0f);
}

TEST_CASE("a model that already has the dtype and the device is not copied") {
  struct Fixed {
    Float32<"2"> weight;
  };
  static_assert(Converts<Fixed, float> && Converts<Fixed, Cpu>);
  static_assert(!Converts<Fixed, double> && !Converts<Fixed, Reference>);
  CHECK(to<float>(Fixed{{1, 2}}).weight(1) == 2.0f);
}

}  // namespace move_tree_test
