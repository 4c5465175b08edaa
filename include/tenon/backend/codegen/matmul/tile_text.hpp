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
