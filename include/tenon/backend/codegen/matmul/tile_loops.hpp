#pragma once

#include <tenon/backend/codegen/matmul/tiling.hpp>

namespace tenon::internal::codegen {

/// The code around a tiled matmul: the position of a tile, its memory, and its results.
class TileText {
 public:
  TileText(Walk& walk, ProductNumbers const& numbers, Tiling const& tiling, bool is_static,
           std::string_view type)
      : walk_(&walk),
        numbers_(numbers),
        tiling_(tiling),
        numbers_text_{walk.variables, is_static},
        type_(type),
        batch_(numbers_text_.labels("batch_size", numbers.labels.batch)),
        rows_(numbers_text_.labels("row_count", numbers.labels.rows)),
        columns_(numbers_text_.labels("column_count", numbers.labels.columns)),
        summed_(numbers_text_.labels("summed_count", numbers.labels.summed)) {}

  /// Opens the loops over the sums of this work item: `i` and `j` are the row and the column,
  /// `c_row` is the offset of the row.
  void open_sums(Loops& loops) {
    std::string const rows = std::to_string(tiling_.rows / tiling_.down);
    std::string const columns = std::to_string(tiling_.columns / tiling_.across);
    bool const alone = tiling_.is_alone();
    loops.enter_header(loop_text("r", alone ? "rows_here" : rows));
    emit(loops.block(), alone ? "i64 const i = row_0 + r;"
                              : "i64 const i = row_0 + own_row + r * " + down() + ";");
    emit(loops.block(),
         "i64 const c_row = c_0 + " + numbers_text_.offset(rows_, "i", &LabelText::c) + ";");
    line_block_ = loops.block();
    loops.enter_header(loop_text("c", alone ? "columns_here" : columns));
    emit(loops.block(), alone ? "i64 const j = column_0 + c;"
                              : "i64 const j = column_0 + own_column + c * " + across() + ";");
    if (alone) return;
    loops.enter_header("if (i < " + text(rows_.count) + " && j < " + text(columns_.count) + ")");
  }

  int line_block() const { return line_block_; }
  std::string sum() const {
    return "sum[r * " + std::to_string(tiling_.columns / tiling_.across) + " + c]";
  }
  std::string result_index() const {
    return "c_row + " + numbers_text_.offset(columns_, "j", &LabelText::c);
  }
  /// The number of groups that compute the matmul.
  Work work() const {
    return {1,
            numbers_.labels.batch.count() * tiles_along(rows_.count.number, tiling_.rows) *
                tiles_along(columns_.count.number, tiling_.columns),
            tiling_.members()};
  }

 protected:
  Listing& listing() { return walk_->listing; }
  Dialect const& dialect() { return listing().functions().dialect(); }
  std::string text(Quantity const& quantity) { return walk_->variables.text(quantity); }
  void emit(int block, std::string line) { listing().line(block, std::move(line)); }
  void emit(std::string line) { emit(block_, std::move(line)); }
  std::string down() const { return std::to_string(tiling_.down); }
  std::string across() const { return std::to_string(tiling_.across); }
  std::string loop_text(std::string const& name, std::string const& count) const {
    std::string const unroll = tiling_.is_alone() ? "" : "#pragma unroll\n  ";
    return unroll + "for (i32 " + name + " = 0; " + name + " < " + count + "; ++" + name + ")";
  }
  /// Emits the index of this group's tile, and its offsets.
  void emit_places() {
    std::string const rows = text(rows_.count), columns = text(columns_.count);
    auto const tiles = [](std::string const& length, int tile) {
      return "((" + length + " + " + std::to_string(tile - 1) + ") / " + std::to_string(tile) + ")";
    };
    auto const place = [](int tile) { return " * " + std::to_string(tile) + ";"; };
    emit("i64 const tile = " + std::string(dialect().group) + ";");
    emit("i64 const tiles_down = " + tiles(rows, tiling_.rows) + ";");
    emit("i64 const tiles_across = " + tiles(columns, tiling_.columns) + ";");
    emit("i64 const row_0 = tile % tiles_down" + place(tiling_.rows));
    emit("i64 const column_0 = tile / tiles_down % tiles_across" + place(tiling_.columns));
    emit("i64 const batch = tile / (tiles_down * tiles_across);");
    emit_start("a", numbers_.a_start, &LabelText::a);
    emit_start("b", numbers_.b_start, &LabelText::b);
    emit_start("c", numbers_.c_start, &LabelText::c);
  }
  /// Emits the position of this work item, or the size of the tile.
  void emit_own_places() {
    if (tiling_.is_alone()) {
      emit_rest("rows_here", text(rows_.count), "row_0", tiling_.rows);
      return emit_rest("columns_here", text(columns_.count), "column_0", tiling_.columns);
    }
    emit("i32 const member = (i32)" + std::string(dialect().member) + ";");
    emit("i32 const own_row = member / " + across() + ", own_column = member % " + across() + ";");
  }
  void emit_start(std::string const& name, std::int64_t start, Quantity LabelText::*step) {
    std::string const first = start == 0 ? "" : text(numbers_text_("start", start)) + " + ";
    emit("i64 const " + name + "_0 = " + first + numbers_text_.offset(batch_, "batch", step) + ";");
  }
  /// Emits the size of a tile at the edge.
  void emit_rest(std::string const& name, std::string const& length, std::string const& first,
                 int tile) {
    std::string const left = length + " - " + first, most = std::to_string(tile);
    emit("i32 const " + name + " = " + left + " < " + most + " ? (i32)(" + left + ") : " + most +
         ";");
  }

  /// Emits the tiles of the operands, and zero-initialised sums.
  void emit_memory() {
    auto const memory = [&](std::string const& name, int elements) {
      if (tiling_.is_alone()) emit(type_ + " " + name + "[" + std::to_string(elements) + "];");
      else emit(filled(dialect().shared, {type_, name, std::to_string(elements)}));
    };
    memory("a_tile", pitch(tiling_.rows) * tiling_.depth);
    memory("b_tile", pitch(tiling_.columns) * tiling_.depth);
    std::string const sums = std::to_string(tiling_.rows * tiling_.columns / tiling_.members());
    emit(type_ + " sum[" + sums + "];");
    if (!tiling_.is_alone()) emit("#pragma unroll");
    emit("for (i32 s = 0; s < " + sums + "; ++s) sum[s] = 0;");
  }
  /// Padded by one, so that work items that store a column use different banks.
  int pitch(int length) const { return tiling_.is_alone() ? length : length + 1; }

  Walk* walk_;
  ProductNumbers numbers_;
  Tiling tiling_;
  NumbersText numbers_text_;
  std::string type_;
  LabelsText batch_, rows_, columns_, summed_;
  int block_ = 0, line_block_ = 0;
};

}  // namespace tenon::internal::codegen

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
