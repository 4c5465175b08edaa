#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

/// The shapes of the generator: the part of the library's rules needed to write well-formed
/// expressions.
namespace trees {

/// The sizes of the three base axes of the leaves.
using Sizes = std::array<int, 3>;

/// `times * sizes[base] + added`, or the constant `added` without a base.
struct Axis {
  int base = -1;
  int times = 1;
  int added = 0;
  bool is_static = false;
  std::string name{};

  bool operator==(Axis const&) const = default;
  bool is_one() const { return base < 0 && added == 1; }
  bool is_derived() const { return base >= 0 && (times != 1 || added != 0); }
  int size(Sizes const& sizes) const {
    return base < 0 ? added : times * sizes[static_cast<std::size_t>(base)] + added;
  }
};

using Shape = std::vector<Axis>;

inline int count(Shape const& shape, Sizes const& sizes) {
  int product = 1;
  for (Axis const& axis : shape) product *= axis.size(sizes);
  return product;
}

inline bool has_derived(Shape const& shape) {
  for (Axis const& axis : shape)
    if (axis.is_derived()) return true;
  return false;
}

inline int find(Shape const& shape, std::string const& name) {
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i].name == name) return static_cast<int>(i);
  return -1;
}

/// The axis that results from two matching ones.
inline std::optional<Axis> joined(Axis const& a, Axis const& b) {
  if (a.is_one() != b.is_one()) return a.is_one() ? b : a;
  if (a.base != b.base || a.times != b.times || a.added != b.added) return {};
  if (!a.name.empty() && !b.name.empty() && a.name != b.name) return {};
  Axis result = a;
  if (a.name.empty()) result.name = b.name;
  result.is_static = a.is_static || b.is_static;
  return result;
}

/// The index in `large` of each axis of `small`, by name, or nothing.
inline std::optional<std::vector<int>> places_by_name(Shape const& large, Shape const& small) {
  std::vector<int> places;
  int next = 0;
  for (Axis const& axis : small) {
    int const at = axis.name.empty() ? -1 : find(large, axis.name);
    if (at < next) return {};
    places.push_back(at);
    next = at + 1;
  }
  return places;
}

inline bool has_name_that_lacks(Shape const& a, Shape const& b) {
  for (Axis const& axis : a)
    if (!axis.name.empty() && find(b, axis.name) < 0) return true;
  return false;
}

inline std::vector<int> places_from_the_right(Shape const& large, Shape const& small) {
  std::vector<int> places;
  for (std::size_t i = 0; i < small.size(); ++i)
    places.push_back(static_cast<int>(large.size() - small.size() + i));
  return places;
}

/// The broadcast shape of two shapes, in the cases that the generator supports.
inline std::optional<Shape> aligned(Shape const& a, Shape const& b) {
  if (a.size() < b.size()) return aligned(b, a);
  if (b.empty()) return a;
  if ((has_derived(a) || has_derived(b)) && a.size() != b.size()) return {};
  auto places = places_by_name(a, b);
  if (!places) {
    if (has_name_that_lacks(a, b) && has_name_that_lacks(b, a)) return {};
    places = places_from_the_right(a, b);
  }
  Shape result = a;
  for (std::size_t i = 0; i < b.size(); ++i) {
    Axis& axis = result[static_cast<std::size_t>((*places)[i])];
    auto const both = joined(axis, b[i]);
    if (!both) return {};
    axis = *both;
  }
  return result;
}

/// An axis as written in a type.
inline std::string written(Axis const& axis, Sizes const& sizes) {
  std::string const size = std::to_string(axis.size(sizes));
  if (!axis.is_static) return axis.name.empty() ? "_" : axis.name;
  return axis.name.empty() ? size : axis.name + "=" + size;
}

inline std::string written(Shape const& shape, Sizes const& sizes) {
  std::string text;
  for (Axis const& axis : shape) text += (text.empty() ? "" : " ") + written(axis, sizes);
  return text;
}

}  // namespace trees
