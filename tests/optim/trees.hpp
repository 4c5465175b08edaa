#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

#include <tenon/tenon.hpp>

namespace optim_test {

using namespace tenon;

/// A model with every kind of leaf for optimisers: a matrix, a vector, a run-time axis, a scalar, a
/// vector of layers, and members that are not learned.
template <class T, class D>
struct Model {
  Of<T, "in=5 out=7", D> weight;
  Of<T, "out=101", D> bias;
  std::vector<Of<T, "n out=3", D>> layers;
  Of<T, "", D> scale;
  Frozen<Of<T, "in=5 out=7", D>> table;
  Int32<"out=3", D> ids;
};

/// Fills a leaf with irregular numbers of both signs, some of them large.
template <class Leaf>
void fill(Leaf& leaf, double seed) {
  for (std::int64_t i = 0; i < leaf.size(); ++i) {
    double const angle = std::fma(1.7, static_cast<double>(i), seed);
    auto const x = static_cast<float>(std::sin(angle));  // C libraries agree in 24 bits
    leaf.mutable_data()[i] = static_cast<typename Leaf::value_type>(x * (i % 5 == 0 ? 8 : 1));
  }
}

template <class T, class D>
Model<T, D> model(double seed) {
  Model<T, D> made;
  for (std::int64_t rows : {4, 1}) {
    made.layers.push_back(Of<T, "n out=3", D>::uninitialised({rows, 3, 1, 1, 1, 1, 1, 1}));
  }
  tenon::tree::for_each([&](auto& leaf) { fill(leaf, seed += 0.37); }, made);
  fill(made.table.value, 3);
  return made;
}

/// All learned numbers as doubles in order.
template <class Tree>
std::vector<double> values(Tree const& tree) {
  std::vector<double> found;
  tenon::tree::for_each(
      [&](auto const& leaf) {
        for (std::int64_t i = 0; i < leaf.size(); ++i)
          found.push_back(static_cast<double>(leaf.data()[i]));
      },
      tree);
  return found;
}

/// For each of `values`, whether it is in a matrix.
template <class Tree>
std::vector<bool> in_matrix(Tree const& tree) {
  std::vector<bool> found;
  tenon::tree::for_each(
      [&]<class Leaf>(Leaf const& leaf) {
        found.insert(found.end(), static_cast<std::size_t>(leaf.size()), Leaf::rank >= 2);
      },
      tree);
  return found;
}

}  // namespace optim_test
