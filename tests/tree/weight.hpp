#pragma once

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/tree/tree.hpp>

/// A leaf without a tensor: not a literal type, like tensors in allocated memory.
struct Weight {
  Weight() = default;
  Weight(double number) : values(1, number) {}

  double value() const { return values.empty() ? 0 : values[0]; }
  friend bool operator==(Weight const&, Weight const&) = default;

  std::vector<double> values;
};

template <>
struct tenon::internal::tree::is_leaf<Weight> : std::true_type {};

namespace forest {

struct Linear {
  Weight weight, bias;
  friend bool operator==(Linear const&, Linear const&) = default;
};

struct Nothing {
  friend bool operator==(Nothing const&, Nothing const&) = default;
};

struct Attention {
  Linear query, key;
  int heads = 4;
  friend bool operator==(Attention const&, Attention const&) = default;
};

struct Block {
  Attention attention;
  Nothing activation;
  std::optional<Weight> scale;
  friend bool operator==(Block const&, Block const&) = default;
};

struct Model {
  Weight embedding;
  std::vector<Block> blocks;
  std::array<Linear, 2> heads;
  std::tuple<Weight, std::pair<Weight, float>> rest;
  tenon::Frozen<Linear> table;
  std::string name;
  friend bool operator==(Model const&, Model const&) = default;
};

inline Block block(double first, std::optional<Weight> scale) {
  return {{{first, first + 1}, {first + 2, first + 3}, 8}, {}, std::move(scale)};
}

/// Learned leaves with the numbers 0 to 20 in order.
inline Model model() {
  return {.embedding = 0,
          .blocks = {block(1, Weight(5)), block(6, {}), block(10, Weight(14))},
          .heads = {{{15, 16}, {17, 18}}},
          .rest = {19, {20, 0.5f}},
          .table = Linear{100, 101},
          .name = "a model"};
}

}  // namespace forest
