#pragma once

#include <tenon/backend/codegen/matmul/tile_text.hpp>

/// The text of a tiled matmul, from the operands to the sums.
namespace tenon::internal::codegen {

/// An operand of a matmul: its memory, the name of its tile, and its labels.
struct FactorText {
  std::string memory;
  std::string tile;   ///< "a" or "b".
  std::string first;  ///< Of its rows or columns in this tile of the result.
  LabelsText const* own;
  Quantity LabelText::*step;
  int length;           ///< Of the tile along its own labels.
  bool is_fast_inside;  ///< Whether elements are contiguous along the summed labels.
};

/// Emits a matmul: `for (depth) { stage a; stage b; multiply }`.
class TileLoops : public TileText {
 public:
  using TileText::TileText;

  /// Emits everything up to the sums, for operands in memories of these names.
  void emit_sums(std::string const& a, std::string const& b) {
    emit_places();
    emit_own_places();
    emit_memory();
    int const loop = listing().open("for (i64 depth_0 = 0; depth_0 < " + text(summed_.count) +
                                        "; depth_0 += " + std::to_string(tiling_.depth) + ")",
                                    0);
    block_ = loop;
    bool const lies_inside_a = numbers_.labels.summed.size > 0 && has_step(&LoopLabel::a);
    bool const lies_inside_b = numbers_.labels.summed.size > 0 && has_step(&LoopLabel::b);
    stage({a, "a", "row_0", &rows_, &LabelText::a, tiling_.rows, lies_inside_a});
    stage({b, "b", "column_0", &columns_, &LabelText::b, tiling_.columns, lies_inside_b});
    barrier();
    if (tiling_.is_alone()) multiply_alone();
    else multiply_together();
    barrier();
    listing().close(loop);
    block_ = 0;
  }

 private:
  bool has_step(std::int64_t LoopLabel::*step) const {
    LoopLabels const& summed = numbers_.labels.summed;
    for (int i = 0; i < summed.size; ++i)
      if (summed[i].*step == 1) return true;
    return false;
  }
  void barrier() {
    if (!tiling_.is_alone()) emit(std::string(dialect().barrier));
  }

  /// Copies a part of an operand to its tile: `tile[depth][own]`, padded with zeros.
  void stage(FactorText const& factor) {
    std::string const own = std::to_string(factor.length), depth = std::to_string(tiling_.depth);
    bool const turns = factor.is_fast_inside;
    std::string const outer = turns ? "s" : "k", inner = turns ? "k" : "s";
    std::string const slow = turns ? own : depth, fast = turns ? depth : own;
    std::string const members = std::to_string(tiling_.members());
    if (tiling_.is_alone()) {
      int const around = listing().open(loop_text(outer, slow), block_);
      int const loop = listing().open(loop_text(inner, fast), around);
      emit_element(loop, factor);
      listing().close(loop);
      return listing().close(around);
    }
    int const loop = listing().open(
        "for (i32 at = member; at < " + own + " * " + depth + "; at += " + members + ")", block_);
    emit(loop, "i32 const " + outer + " = at / " + fast + ", " + inner + " = at % " + fast + ";");
    emit_element(loop, factor);
    listing().close(loop);
  }
  void emit_element(int loop, FactorText const& factor) {
    emit(loop, "i64 const own = " + factor.first + " + s, inside = depth_0 + k;");
    emit(loop, factor.tile + "_tile[k * " + std::to_string(pitch(factor.length)) +
                   " + s] = own < " + text(factor.own->count) + " && inside < " +
                   text(summed_.count) + " ? " + factor.memory + "[" + factor.tile + "_0 + " +
                   numbers_text_.offset(*factor.own, "own", factor.step) + " + " +
                   numbers_text_.offset(summed_, "inside", factor.step) + "] : 0;");
  }

  /// Each work item accumulates its rows and columns in registers.
  void multiply_together() {
    std::string const rows = std::to_string(tiling_.rows / tiling_.down);
    std::string const columns = std::to_string(tiling_.columns / tiling_.across);
    int const inside =
        listing().open("for (i32 k = 0; k < " + std::to_string(tiling_.depth) + "; ++k)", block_);
    emit(inside, type_ + " a[" + rows + "], b[" + columns + "];");
    auto const load = [&](std::string const& name, std::string const& count, int length,
                          std::string const& first, std::string const& by) {
      emit(inside, "#pragma unroll");
      emit(inside, "for (i32 r = 0; r < " + count + "; ++r) " + name + "[r] = " + name +
                       "_tile[k * " + std::to_string(pitch(length)) + " + " + first + " + r * " +
                       by + "];");
    };
    load("a", rows, tiling_.rows, "own_row", down());
    load("b", columns, tiling_.columns, "own_column", across());
    int const row = listing().open(loop_text("r", rows), inside);
    int const column = listing().open(loop_text("c", columns), row);
    emit(column, sum() + " = fma_" + type_ + "(a[r], b[c], " + sum() + ");");
    listing().close(column);
    listing().close(row);
    listing().close(inside);
  }

  /// Four rows and four terms at a time: the loop over columns is vectorised.
  void multiply_alone() {
    std::string const depth = std::to_string(tiling_.depth);
    int const row = listing().open("for (i32 r = 0; r < rows_here; r += 4)", block_);
    int const inside = listing().open(
        "for (i32 k = 0; k < " + depth + " && depth_0 + k < " + text(summed_.count) + "; k += 4)",
        row);
    for (int i = 0; i < 16; ++i) {
      std::string const r = std::to_string(i / 4), k = std::to_string(i % 4);
      emit(inside, type_ + " const a" + r + k + " = a_tile[(k + " + k + ") * " +
                       std::to_string(tiling_.rows) + " + r + " + r + "];");
    }
    int const column = listing().open("for (i32 c = 0; c < columns_here; ++c)", inside);
    multiply_column(column, std::to_string(tiling_.columns));
    for (int const block : {column, inside, row}) listing().close(block);
  }
  void multiply_column(int column, std::string const& pitch) {
    for (std::string const k : {"0", "1", "2", "3"})
      emit(column, type_ + " const b" + k + " = b_tile[(k + " + k + ") * " + pitch + " + c];");
    for (std::string const i : {"0", "1", "2", "3"}) {
      std::string const place = "sum[(r + " + i + ") * " + pitch + " + c]";
      std::string total = place;
      for (std::string const k : {"0", "1", "2", "3"})
        total = "fma_" + type_ + "(a" + i + k + ", b" + k + ", " + total + ")";
      emit(column, place + " = " + total + ";");
    }
  }
};

}  // namespace tenon::internal::codegen
