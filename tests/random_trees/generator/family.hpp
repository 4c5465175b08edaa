#pragma once

#include <string>
#include <vector>

#include "draws.hpp"
#include "elementwise.hpp"
#include "reductions.hpp"

/// The common parts of the trees of one source file, such that their nodes share instantiations:
/// the dtype, the leaves, and the available ops.
namespace trees {

struct Leaf {
  std::string name;
  std::vector<int> places;  ///< Indices of the three axes.
  double low;
  double high;
  int below = -1;  ///< Ids below the size of this axis; -1: a floating leaf.
};

struct Family {
  std::string dtype;
  Axis axes[3];
  Sizes sizes;  ///< For static axes; run-time axes also have others.
  std::vector<Map> unary, binary;
  std::vector<ReductionNode> reductions;
  bool has_products = false;

  Shape shape(Leaf const& leaf) const {
    Shape result;
    for (int place : leaf.places) result.push_back(axes[place]);
    return result;
  }
};

inline Axis axis_of(int base, bool is_named, bool is_static, Sizes const& sizes) {
  Axis axis;
  axis.base = is_static ? -1 : base;
  axis.added = is_static ? sizes[static_cast<std::size_t>(base)] : 0;
  axis.name = is_named ? std::string(1, "abc"[base]) : "";
  axis.is_static = is_static;
  return axis;
}

inline std::vector<Leaf> const& leaves() {
  static std::vector<Leaf> const all{
      {"x", {0, 1}, -2, 2}, {"y", {0, 1}, 0.5, 2.5}, {"r", {1}, -2, 2},
      {"k", {0}, 0.5, 2},   {"w", {1, 2}, -1, 1},    {"z", {2, 0, 1}, -2, 2},
      {"s", {}, 0.5, 1.5},  {"ids", {0}, 0, 0, 1},   {"rows", {2}, 0, 0, 0}};
  return all;
}

inline Family family_of(Draws& draws, int number) {
  Family family;
  bool const is_named = number % 4 != 1, is_static = number % 3 == 2;
  family.dtype = number % 3 == 1 ? "double" : "float";
  std::vector<Sizes> const sizes{{5, 35, 3}, {3, 17, 4}, {4, 7, 2}, {9, 1, 3}};
  family.sizes = is_static ? draws.of(sizes) : sizes[0];
  for (int i = 0; i < 3; ++i) {
    bool const fixed = is_static && !draws.chance(25);
    family.axes[i] = axis_of(i, is_named, fixed, family.sizes);
  }
  family.unary = draws.some(unary_maps(), 7);
  family.binary = draws.some(binary_maps(), 4);
  family.reductions = draws.some(reductions(), 4);
  family.has_products = number % 2 == 0;
  return family;
}

/// The run-time sizes of its trees; those of static axes are fixed.
inline std::vector<Sizes> sizes_of(Family const& family) {
  std::vector<Sizes> all{family.sizes};
  std::vector<Sizes> const others{{3, 16, 5}, {1, 1, 1}, {2, 3, 1}, {1, 33, 2},
                                  {0, 5, 2},  {4, 0, 3}, {6, 1, 2}};
  for (Sizes next : others) {
    for (std::size_t i = 0; i < 3; ++i)
      if (family.axes[i].is_static) next[i] = family.sizes[i];
    if (std::find(all.begin(), all.end(), next) == all.end()) all.push_back(next);
  }
  return all;
}

}  // namespace trees
