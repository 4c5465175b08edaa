// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <tenon/backend/source/tiling.hpp>

namespace tenon::source {

/// The code around a tiled matmul: the position of a tile, its memory, and its results.
class TileText {
 public:
  TileText(Walk& walk, ProductNumbers const& numbers, Tiling const& tiling, bool is_static,
           std::string_view type)
      : walk_(&walk),
        numbers_(numbers),
        tiling_(tiling),
        say_{walk.variables, is_static},
        type_(type),
        batch_(say_.labels("batch_size", numbers.labels.batch)),
        rows_(say_.labels("row_count", numbers.labels.rows)),
        columns_(say_.labels("column_count", numbers.labels.columns)),
        summed_(say_.labels("summed_count", numbers.labels.summed)) {}

  /// Opens the loops over the sums of this work item: `i` and `j` are the row and the column,
  /// `c_row` is the offset of the row.
  void open_sums(Loops& loops) {
    std::string const rows = std::to_string(tiling_.rows / tiling_.down);
    std::string const columns = std::to_string(tiling_.columns / tiling_.across);
    bool const alone = tiling_.is_alone();
    loops.enter_header(loop_text("r", alone ? "rows_here" : rows));
    say(loops.block(),
        alone ? "i64 const i = row_0 + r;" : "i64 const i = row_0 + own_row + r * " + down() + ";");
    say(loops.block(), "i64 const c_row = c_0 + " + say_.offset(rows_, "i", &LabelText::c) + ";");
    line_block_ = loops.block();
    loops.enter_header(loop_text("c", alone ? "columns_here" : columns));
    say(loops.block(), alone ? "i64 const j = column_0 + c;"
                             : "i64 const j = column_0 + own_column + c * " + across() + ";");
    if (alone) return;
    loops.enter_header("if (i < " + text(rows_.count) + " && j < " + text(columns_.count) + ")");
  }

  int line_block() const { return line_block_; }
  std::string sum() const {
    return "sum[r * " + std::to_string(tiling_.columns / tiling_.across) + " + c]";
  }
  std::string result_index() const {
    return "c_row + " + say_.offset(columns_, "j", &LabelText::c);
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
  void say(int block, std::string line) { listing().line(block, std::move(line)); }
  void say(std::string line) { say(block_, std::move(line)); }
  std::string down() const { return std::to_string(tiling_.down); }
  std::string across() const { return std::to_string(tiling_.across); }
  std::string loop_text(std::string const& name, std::string const& count) const {
    std::string const unroll = tiling_.is_alone() ? "" : "#pragma unroll\n  ";
    return unroll + "for (i32 " + name + " = 0; " + name + " < " + count + "; ++" + name + ")";
  }
  /// Emits the index of this group's tile, and its offsets.
  void say_places() {
    std::string const rows = text(rows_.count), columns = text(columns_.count);
    auto const tiles = [](std::string const& length, int tile) {
      return "((" + length + " + " + std::to_string(tile - 1) + ") / " + std::to_string(tile) + ")";
    };
    auto const place = [](int tile) { return " * " + std::to_string(tile) + ";"; };
    say("i64 const tile = " + std::string(dialect().group) + ";");
    say("i64 const tiles_down = " + tiles(rows, tiling_.rows) + ";");
    say("i64 const tiles_across = " + tiles(columns, tiling_.columns) + ";");
    say("i64 const row_0 = tile % tiles_down" + place(tiling_.rows));
    say("i64 const column_0 = tile / tiles_down % tiles_across" + place(tiling_.columns));
    say("i64 const batch = tile / (tiles_down * tiles_across);");
    say_start("a", numbers_.a_start, &LabelText::a);
    say_start("b", numbers_.b_start, &LabelText::b);
    say_start("c", numbers_.c_start, &LabelText::c);
  }
  /// Emits the position of this work item, or the size of the tile.
  void say_own_places() {
    if (tiling_.is_alone()) {
      say_rest("rows_here", text(rows_.count), "row_0", tiling_.rows);
      return say_rest("columns_here", text(columns_.count), "column_0", tiling_.columns);
    }
    say("i32 const member = (i32)" + std::string(dialect().member) + ";");
    say("i32 const own_row = member / " + across() + ", own_column = member % " + across() + ";");
  }
  void say_start(std::string const& name, std::int64_t start, Quantity LabelText::*step) {
    std::string const first = start == 0 ? "" : text(say_("start", start)) + " + ";
    say("i64 const " + name + "_0 = " + first + say_.offset(batch_, "batch", step) + ";");
  }
  /// Emits the size of a tile at the edge.
  void say_rest(std::string const& name, std::string const& length, std::string const& first,
                int tile) {
    std::string const left = length + " - " + first, most = std::to_string(tile);
    say("i32 const " + name + " = " + left + " < " + most + " ? (i32)(" + left + ") : " + most +
        ";");
  }

  /// Emits the tiles of the operands, and zero-initialised sums.
  void say_memory() {
    auto const memory = [&](std::string const& name, int elements) {
      if (tiling_.is_alone()) say(type_ + " " + name + "[" + std::to_string(elements) + "];");
      else say(filled(dialect().shared, {type_, name, std::to_string(elements)}));
    };
    memory("a_tile", pitch(tiling_.rows) * tiling_.depth);
    memory("b_tile", pitch(tiling_.columns) * tiling_.depth);
    std::string const sums = std::to_string(tiling_.rows * tiling_.columns / tiling_.members());
    say(type_ + " sum[" + sums + "];");
    if (!tiling_.is_alone()) say("#pragma unroll");
    say("for (i32 s = 0; s < " + sums + "; ++s) sum[s] = 0;");
  }
  /// Padded by one, so that work items that store a column use different banks.
  int pitch(int length) const { return tiling_.is_alone() ? length : length + 1; }

  Walk* walk_;
  ProductNumbers numbers_;
  Tiling tiling_;
  NumbersText say_;
  std::string type_;
  LabelsText batch_, rows_, columns_, summed_;
  int block_ = 0, line_block_ = 0;
};

}  // namespace tenon::source
