#pragma once

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/eval/contract/contraction.hpp>
#include <tenon/eval/contract/labelled.hpp>

/// Tiled matmuls: the part of a result that a work group computes.
namespace tenon::internal::codegen {

/// A tile, and the work items of a group, arranged as a rectangle: each computes every `down`-th
/// row and `across`-th column of it. A group of one work item keeps its sums in memory.
struct Tiling {
  int rows, columns, depth;
  int down, across;

  int members() const { return down * across; }
  bool is_alone() const { return members() == 1; }
};

/// The strides and first offsets of a contraction: `a` of the left operand, `b` of the right one
/// and `c` of the result.
struct ProductNumbers {
  SortedLabels labels{};
  std::int64_t a_start = 0, b_start = 0, c_start = 0;
  bool is_exchanged = false;  ///< Whether the left operand is the second one.

  std::int64_t results() const {
    return labels.batch.count() * labels.rows.count() * labels.columns.count();
  }
};

/// Sorts the labels of a contraction so that the columns of the result are contiguous.
inline ProductNumbers numbers_of(LoopLabels const& labels) {
  ProductNumbers numbers{sorted(labels)};
  numbers.is_exchanged = numbers.labels.rows.has_unit();
  if (numbers.is_exchanged) numbers.labels.exchange_operands();
  return numbers;
}

/// Whether tiles pay: for smaller sizes most of a tile is padding, and one element per work item is
/// as fast.
inline bool is_worth_tiles(SortedLabels const& labels, bool is_processor) {
  std::int64_t const rows = labels.rows.count(), columns = labels.columns.count();
  std::int64_t const summed = labels.summed.count();
  if (is_processor) return columns >= 4 && summed >= 4 && rows * columns * summed >= 2048;
  return (std::min)({rows, columns, summed}) >= 8;
}

/// The tiling of a matmul. On a CPU one work item has a tile whose operands fit into the L1 and L2
/// caches; elsewhere 256 have 4 x 4 elements each, or 2 x 2 if there are few tiles.
inline Tiling tiling_of(SortedLabels const& labels, bool is_processor) {
  auto const tiles = [&](int rows, int columns) {
    return labels.batch.count() * tiles_along(labels.rows.count(), rows) *
           tiles_along(labels.columns.count(), columns);
  };
  if (!is_processor)
    return tiles(64, 64) < 128 ? Tiling{32, 32, 16, 16, 16} : Tiling{64, 64, 16, 16, 16};
  int rows = 64;
  while (rows > 8 && tiles(rows, 128) < 8) rows /= 2;
  return {rows, 128, 64, 1, 1};
}

/// A label of a contraction in the text of a kernel: its extent, and the strides along it.
struct LabelText {
  Quantity extent, a, b, c;
};

/// Labels iterated as one flattened axis.
struct LabelsText {
  std::vector<LabelText> all{};
  Quantity count{};
};

/// Numbers in the text of a kernel: literals if all sizes are static, otherwise arguments.
struct NumbersText {
  Variables& variables;
  bool is_static;

  Quantity operator()(std::string const& wish, std::int64_t number) const {
    return is_static || number == 0 || number == 1 ? Quantity{number}
                                                   : variables.fresh(wish, number);
  }
  LabelsText labels(std::string const& name, LoopLabels const& labels) const {
    LabelsText text;
    for (int i = 0; i < labels.size; ++i) {
      LoopLabel const& label = labels[i];
      text.all.push_back({(*this)(name, label.extent), (*this)("a_step", label.a),
                          (*this)("b_step", label.b), (*this)("c_step", label.c)});
    }
    text.count = labels.size == 1 ? text.all[0].extent : (*this)(name, labels.count());
    return text;
  }

  /// The offset of the `at`-th combination of labels, for one of their strides.
  std::string offset(LabelsText const& labels, std::string const& at,
                     Quantity LabelText::*step) const {
    IndexText text;
    std::string inner;
    for (std::size_t i = labels.all.size(); i-- > 0;) {
      LabelText const& label = labels.all[i];
      std::string const extent = variables.text(label.extent);
      std::string place = inner.empty() ? at : at + " / (" + inner + ")";
      if (i > 0) place = "(" + place + ") % " + extent;
      inner += (inner.empty() ? "" : " * ") + extent;
      std::string const by = variables.text(label.*step);
      if (by != "0") text.add("(" + place + ")" + (by == "1" ? "" : " * " + by));
    }
    return text.text.empty() ? "0" : text.text;
  }
};

}  // namespace tenon::internal::codegen
