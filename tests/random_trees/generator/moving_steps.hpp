#pragma once

#include "steps.hpp"

/// Steps that add views, gathers, or matmuls.
namespace trees {

inline Step transposing_step(Growth const& from) {
  int const x = from.operand();
  Shape shape = from.shape(x);
  if (shape.size() < 2) return {};
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return Node{"transpose($0)", {x}, shape, moving()};
}

/// Moves the first axis to the end, by a pattern of einops.
inline Step rearranging_step(Growth const& from) {
  int const x = from.operand();
  Shape const& shape = from.shape(x);
  if (shape.size() < 2) return {};
  std::string words, rest;
  Shape result(shape.begin() + 1, shape.end());
  for (Axis const& axis : shape) {
    if (axis.name.empty() || axis.is_derived()) return {};
    words += axis.name + " ";
    if (&axis != &shape[0]) rest += axis.name + " ";
  }
  result.push_back(shape[0]);
  return Node{
      "rearrange<\"" + words + "-> " + rest + shape[0].name + "\">($0)", {x}, result, moving()};
}

inline Step renaming_step(Growth const& from) {
  int const x = from.operand();
  Shape shape = from.shape(x);
  for (Axis& axis : shape) {
    if (axis.name.empty() || axis.is_derived() || !from.draws.chance(60)) continue;
    std::string const name = std::exchange(axis.name, from.draws.chance(50) ? "" : "h");
    return Node{"rename<\"" + name + " -> " + (axis.name.empty() ? "_" : "h") + "\">($0)",
                {x},
                shape,
                moving()};
  }
  return {};
}

/// The axis scaled by `times` and extended by `added` elements.
inline Axis longer(Axis axis, int times, int added) {
  axis.times *= axis.base < 0 ? 1 : times;
  axis.added = axis.base < 0 ? axis.added * times + added : axis.added + added;
  return axis;
}

inline Analysis needing(Axis const& axis, int least) {
  Analysis analysis = moving();
  analysis.forward = [=](Ranges const& x, Sizes const& sizes) -> std::optional<Range> {
    if (axis.size(sizes) < least) return {};
    return x[0];
  };
  return analysis;
}

inline Step slicing_step(Growth const& from) {
  int const x = from.operand();
  Shape shape = from.shape(x);
  if (shape.empty()) return {};
  int const at = from.draws.below(static_cast<int>(shape.size()));
  Axis& axis = shape[static_cast<std::size_t>(at)];
  if (axis.is_derived() || axis.size(from.family.sizes) < 3) return {};
  std::string const chosen = choice_of(from.draws, shape, at);
  Analysis const analysis = needing(axis, 3);
  axis = longer(axis, 1, -1);
  char const* const range = from.draws.chance(50) ? ", 1, to_end" : ", 0, -1";
  return Node{"slice<" + chosen + range + ">($0)", {x}, shape, analysis};
}

/// One index along an axis.
inline Step row_step(Growth const& from) {
  int const x = from.operand();
  Shape shape = from.shape(x);
  if (shape.empty()) return {};
  int const at = from.draws.below(static_cast<int>(shape.size()));
  std::string const chosen = choice_of(from.draws, shape, at);
  Analysis const analysis = needing(shape[static_cast<std::size_t>(at)], 1);
  shape.erase(shape.begin() + at);
  return Node{"take<" + chosen + ">($0, " + (from.draws.chance(50) ? "0" : "-1") + ")",
              {x},
              shape,
              analysis};
}

inline Step joining_step(Growth const& from) {
  int const x = from.operand();
  Shape shape = from.shape(x);
  if (shape.empty() || has_derived(shape)) return {};
  std::vector<int> same;
  for (int j = 0; j < from.tree.size(); ++j)
    if (!from.tree.at(j).is_mask && !from.is_ids(j) && from.shape(j) == shape) same.push_back(j);
  int const at = from.draws.below(static_cast<int>(shape.size()));
  std::string const chosen = choice_of(from.draws, shape, at);
  Axis& axis = shape[static_cast<std::size_t>(at)];
  bool const pads = from.draws.chance(50);
  axis = pads ? longer(axis, 1, 3) : longer(axis, 2, 0);
  if (pads) return Node{"pad<" + chosen + ", 1, 2>($0, 0.5)", {x}, shape, moving()};
  return Node{"concat<" + chosen + ">($0, $1)", {x, from.draws.of(same)}, shape, moving()};
}

/// Rows of "a ..." gathered at "c", or one element of each row of "a b".
inline Step gathering_step(Growth const& from) {
  int const x = from.operand();
  Shape shape = from.shape(x);
  Axis const &a = from.family.axes[0], &b = from.family.axes[1], &c = from.family.axes[2];
  if (shape.size() != 2 || shape[0] != a) return {};
  if (shape[1] == b && from.draws.chance(50))
    return Node{"pick<1>($0, $1)", {x, from.leaf("ids")}, {a}, gathering(a, b)};
  shape[0] = c;
  return Node{"take<0>($0, $1)", {x, from.leaf("rows")}, shape, gathering(c, a)};
}

inline Step multiplying_step(Growth const& from) {
  int const x = from.operand();
  std::vector<int> fitting;
  Shape const& m = from.shape(x);
  if (!from.family.has_products || m.size() != 2 || has_derived(m)) return {};
  for (int j = 0; j < from.tree.size(); ++j) {
    Shape const& n = from.shape(j);
    if (from.tree.at(j).is_mask || from.is_ids(j) || n.size() != 2 || has_derived(n)) continue;
    if (m[1] == n[0] && m[0] != n[1]) fitting.push_back(j);
  }
  if (fitting.empty()) return {};
  int const y = from.draws.of(fitting);
  Shape const shape{m[0], from.shape(y)[1]};
  return Node{"matmul($0, $1)", {x, y}, shape, multiplying(shape[0], m[1], shape[1])};
}

}  // namespace trees
