#pragma once

#include <algorithm>

#include <tenon/backend/codegen/attention/patterns.hpp>
#include <tenon/backend/codegen/matmul/tiling.hpp>
#include <tenon/backend/codegen/symbol/halves.hpp>
#include <tenon/eval/attention.hpp>
#include <tenon/op/exponential.hpp>

/// Tiled attention: the part that a work group computes.
namespace tenon::internal::codegen {

/// One of the kernels of attention, by its rows and its sums.
enum class AttentionPart {
  values,   ///< Rows are queries: the result.
  queries,  ///< Rows are queries: their adjoint.
  keys      ///< Rows are keys: the adjoints of keys and values.
};

/// Rows and columns of a tile of scores; the work items of a group are arranged as a square, each
/// with every `across`-th row and column. A group of one work item computes the full tile.
struct AttentionTiling {
  int rows, columns, across;
  int depth;     ///< The number of features multiplied at a time,
  int gathered;  ///< and of columns accumulated at a time.
  int slice;     ///< The number of features of a result per group, a multiple of 16.

  int members() const { return across * across; }
  bool is_alone() const { return across == 1; }
  int slices(std::int64_t width) const { return static_cast<int>(tiles_along(width, slice)); }
};

/// The largest power of two, at most `most`, not above a length.
inline int power_for(std::int64_t length, int most) {
  int power = 8;
  while (power < most && power < length) power *= 2;
  return power;
}

/// The tiling for a CPU: one work item, tiles that fit into the L2 cache.
inline AttentionTiling alone_tiling_of(std::int64_t rows, std::int64_t columns, int width,
                                       int slice) {
  int const across = power_for(columns, 64);
  return {power_for(rows, 64), across, 1, (std::min)(64, (width + 3) / 4 * 4), across, slice};
}

/// Elsewhere 256 work items have 4 x 4 scores each, or 2 x 2 if there are few tiles or elements are
/// long: 32 KiB of group memory suffice, which is the limit of Apple devices.
inline AttentionTiling tiling_of(AttentionPart part, AttentionNumbers const& numbers, int bytes,
                                 bool is_processor) {
  bool const by_keys = part == AttentionPart::keys;
  std::int64_t const rows = by_keys ? numbers.keys : numbers.queries;
  std::int64_t const columns = by_keys ? numbers.queries : numbers.keys;
  int const width = static_cast<int>(numbers.width);
  int const slice = (std::min)((width + 15) / 16 * 16, by_keys ? 128 : 256);
  if (is_processor) return alone_tiling_of(rows, columns, width, slice);
  int const tile = bytes > 4 || numbers.rows * tiles_along(rows, 64) < 128 ? 32 : 64;
  int gathered = 16;
  while (gathered > 2 && gathered * (slice + 1) > 16 * (tile + 1)) gathered /= 2;
  return {tile, tile, 16, 16, gathered, slice};
}

/// Emits a body of one argument as a function; returns its name.
template <class R, class X, class Body>
std::string function_of_body(Functions& functions, std::string_view name, Body const& body) {
  Listing inside = with_parameters(functions, 1);
  std::string const result = term_of(inside, body(Symbol<X>(inside, 0))).text;
  return function_of(inside, name, type_text<R>, result, {type_text<X>});
}

/// The function that widens an element to the compute dtype.
template <class T>
std::string widening(Functions& functions) {
  auto const body = [](Symbol<T> x) { return convert<Computed<T>>(x); };
  return function_of_body<Computed<T>, T>(functions, "widened", body);
}

/// The dtypes and functions that the attention kernels use.
struct AttentionIntrinsics {
  std::string_view stored, real;
  std::string widen, narrow, exp, log, infinity, scale;

  template <class T>
  static AttentionIntrinsics of(Functions& functions, double scale) {
    using R = Computed<T>;
    auto const narrow = [](Symbol<R> x) { return convert<T>(x); };
    auto const exp = [](Symbol<R> x) { return op::Exp::f(x); };
    auto const log = [](Symbol<R> x) { return op::Log::f(x); };
    return {type_text<T>,
            type_text<R>,
            widening<T>(functions),
            function_of_body<T, R>(functions, "narrowed", narrow),
            function_of_body<R, R>(functions, "exp", exp),
            function_of_body<R, R>(functions, "log", log),
            literal(functions.dialect(), -std::numeric_limits<R>::infinity()),
            literal(functions.dialect(), static_cast<R>(scale))};
  }
};

/// A matrix that attention reads: its kind, its first row, its number of rows, and the function
/// that widens its elements.
struct AttentionMatrix {
  std::string name, first, rows, widen;
};

/// Emits a tiled attention kernel in parts.
class AttentionText {
 public:
  AttentionText(Dialect const& dialect, AttentionIntrinsics intrinsics, AttentionTiling tiling,
                AttentionNumbers const& numbers)
      : dialect_(&dialect),
        intrinsics_(std::move(intrinsics)),
        tiling_(tiling),
        numbers_(numbers) {}

  std::string const& text() const { return text_; }
  AttentionIntrinsics const& intrinsics() const { return intrinsics_; }
  std::string barrier() const { return tiling_.is_alone() ? "" : std::string(dialect_->barrier); }
  void emit(std::string_view pattern, std::vector<std::string> const& with = {}) {
    text_ += filled(pattern, with);
  }
  /// Emits one of two patterns: for a single work item, or for several.
  void emit_either(std::string_view alone, std::string_view together,
                   std::vector<std::string> const& with) {
    emit(tiling_.is_alone() ? alone : together, with);
  }

  /// Emits the constants, the tile of this group among `count` rows, and its memory.
  void open(std::string const& count, std::string const& block) {
    emit("  typedef $0 real;\n  enum {", {std::string(intrinsics_.real)});
    for (auto const& [name, number] : constants())
      text_ += std::string(" ") + name + " = " + std::to_string(number) + ",";
    text_.back() = ' ';
    text_ += "};\n";
    emit(attention::places, {std::string(dialect_->group), count, block});
    if (!tiling_.is_alone())
      emit(
          "  i32 const member = (i32)$0, own_row = member / across, own_column = member % "
          "across;\n",
          {std::string(dialect_->member)});
    memory("left", std::to_string(tiling_.depth) + " * row_pitch");
    memory("right", std::to_string(right_elements()));
    memory("tile", "rows * column_pitch");
    sees_ = count == "keys" ? ">=" : "<=";
    if (numbers_.is_causal)
      emit(tiling_.is_alone() ? "  i32 $0 = 0;\n" : "  if (member == 0) $0 = 0;\n", {hides()});
  }

  /// Emits group memory.
  void memory(std::string const& name, std::string const& elements) {
    bool const alone = tiling_.is_alone();
    emit(alone ? "  $0 $1[$2];\n" : "  " + std::string(dialect_->shared) + "\n",
         {"real", name, elements});
  }
  /// Emits zeros in registers: `each` for each row of a work item.
  void zeros(std::string const& name, std::string const& each) {
    emit("  real $0[own_rows * $1];\n  for (i32 s = 0; s < own_rows * $1; ++s) $0[s] = 0;\n",
         {name, each});
  }

  /// Emits name = a bᵀ, a tile of it, summed over all features.
  void product(std::string const& name, AttentionMatrix const& a, AttentionMatrix const& b) {
    zeros(name, "own_columns");
    emit("  for (i32 depth_0 = 0; depth_0 < width; depth_0 += depth) {");
    stage(a, "row_0 + s", "depth_0 + k", "left[k * row_pitch + s]", "rows", "depth");
    stage(b, "column_0 + s", "depth_0 + k", "right[k * column_pitch + s]", "columns", "depth");
    multiply(name, "columns", "left[($0) * row_pitch + $1]", "right[($0) * column_pitch + $1]",
             "depth");
    emit("  }\n");
  }

  /// Emits sum += tile b, for a slice of its features.
  void gather(std::string const& sum, AttentionMatrix const& b) {
    emit("  for (i32 gathered_0 = 0; gathered_0 < columns; gathered_0 += gathered) {");
    std::string_view const own = "tile[($1) * column_pitch + gathered_0 + $0]";
    std::string_view const other = "right[($0) * slice_pitch + $1]";
    std::string const staged = "right[s * slice_pitch + k]";
    stage(b, "column_0 + gathered_0 + s", "slice_0 + k", staged, "gathered", "slice",
          numbers_.is_causal ? filled(attention::look, {staged, hides()}) : "");
    if (numbers_.is_causal) multiply_what_is_seen(sum, own, other);
    else multiply(sum, "slice", own, other, "gathered");
    emit("  }\n");
  }

 private:
  /// Whether any value accumulated so far is not finite: a variable, or an element of the tile that
  /// no matmul reads.
  std::string hides() const { return tiling_.is_alone() ? "hides" : "tile[columns]"; }

  std::vector<std::pair<char const*, std::int64_t>> constants() const {
    int const rest = tiling_.is_alone() ? 0 : 1;  // padding, so that columns are in different banks
    std::vector<std::pair<char const*, std::int64_t>> all{
        {"rows", tiling_.rows},
        {"columns", tiling_.columns},
        {"across", tiling_.across},
        {"members", tiling_.members()},
        {"own_rows", tiling_.rows / tiling_.across},
        {"own_columns", tiling_.columns / tiling_.across},
        {"own_slice", tiling_.slice / tiling_.across},
        {"row_pitch", tiling_.rows + rest},
        {"column_pitch", tiling_.columns + rest},
        {"slice_pitch", tiling_.slice + rest},
        {"depth", tiling_.depth},
        {"gathered", tiling_.gathered},
        {"slice", tiling_.slice},
        {"slices", tiling_.slices(numbers_.width)},
        {"width", numbers_.width},
        {"is_causal", numbers_.is_causal ? 1 : 0}};
    if (tiling_.is_alone()) all.insert(all.end(), {{"own_row", 0}, {"own_column", 0}});
    return all;
  }
  int right_elements() const {
    int const rest = tiling_.is_alone() ? 0 : 1;
    return (std::max)(tiling_.depth * (tiling_.columns + rest),
                      tiling_.gathered * (tiling_.slice + rest));
  }

  /// Copies a part of a matrix to a tile: `s` indexes rows of the matrix, and `k` columns.
  void stage(AttentionMatrix const& matrix, std::string const& row, std::string const& column,
             std::string const& to, std::string const& rows, std::string const& columns,
             std::string const& then = "") {
    emit(attention::stage,
         {filled(
              tiling_.is_alone()
                  ? "for (i32 s = 0; s < $0; ++s) for (i32 k = 0; k < $1; ++k)"
                  : "for (i32 at = member, s, k; s = at / $1, k = at % $1, s < $0; at += members)",
              {rows, columns}),
          matrix.name, matrix.first, row, matrix.rows, column, to, matrix.widen, then});
  }

  /// sums += a b, for the staged parts. In the operands $0 is the summed index, $1 the row or
  /// column.
  void multiply(std::string const& sum, std::string const& columns, std::string_view a,
                std::string_view b, std::string const& depth) {
    emit("    $0\n", {barrier()});
    multiply_all(sum, columns, a, b, depth);
    emit("    $0\n", {barrier()});
  }
  void multiply_all(std::string const& sum, std::string const& columns, std::string_view a,
                    std::string_view b, std::string const& depth) {
    if (tiling_.is_alone()) multiply_alone(sum, columns, a, b, depth);
    else emit(attention::multiply_together, of_members(sum, columns, a, b, depth));
  }
  std::vector<std::string> of_members(std::string const& sum, std::string const& columns,
                                      std::string_view a, std::string_view b,
                                      std::string const& depth) const {
    return {sum,
            "own_" + columns,
            filled(a, {"k", "own_row + r * across"}),
            filled(b, {"k", "own_column + c * across"}),
            depth,
            std::string(intrinsics_.real)};
  }
  /// The same for a slice, with masked columns.
  void multiply_what_is_seen(std::string const& sum, std::string_view a, std::string_view b) {
    std::vector<std::string> with = of_members(sum, "slice", a, b, "gathered");
    with.push_back(sees_);
    emit("    $0\n    if ($1 != 0) {", {barrier(), hides()});
    emit(attention::multiply_seen, with);
    emit("    } else {\n");
    multiply_all(sum, "slice", a, b, "gathered");
    emit("    }\n    $0\n", {barrier()});
  }
  /// Four rows and four terms at a time: the loop over columns is vectorised.
  void multiply_alone(std::string const& sum, std::string const& columns, std::string_view a,
                      std::string_view b, std::string const& depth) {
    emit("    for (i32 r = 0; r < rows; r += 4) for (i32 k = 0; k < $0; k += 4) {\n", {depth});
    for (int i = 0; i < 16; ++i) {
      std::string const r = std::to_string(i / 4), k = std::to_string(i % 4);
      emit("      real const a$0$1 = $2;\n", {r, k, filled(a, {"k + " + k, "r + " + r})});
    }
    emit("      for (i32 c = 0; c < $0; ++c) {\n", {columns});
    for (std::string const k : {"0", "1", "2", "3"})
      emit("        real const b$0 = $1;\n", {k, filled(b, {"k + " + k, "c"})});
    for (std::string const r : {"0", "1", "2", "3"}) multiply_row(sum, columns, r);
    emit("      }\n    }\n");
  }
  void multiply_row(std::string const& sum, std::string const& columns, std::string const& r) {
    std::string const place = filled("$0[(r + $1) * $2 + c]", {sum, r, columns});
    std::string total = place;
    for (std::string const k : {"0", "1", "2", "3"})
      total = filled("fma_$0(a$1$2, b$2, $3)", {std::string(intrinsics_.real), r, k, total});
    emit("        $0 = $1;\n", {place, total});
  }

  Dialect const* dialect_;
  AttentionIntrinsics intrinsics_;
  AttentionTiling tiling_;
  AttentionNumbers numbers_;
  std::string sees_;  ///< The comparison of a visible column with a row.
  std::string text_;
};

}  // namespace tenon::internal::codegen
