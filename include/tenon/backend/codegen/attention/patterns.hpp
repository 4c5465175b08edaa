#pragma once

#include <string_view>

/// Text patterns of the attention kernels. `real` is the compute dtype; `rows`, `columns` and other
/// constants are those of the tiling. (Matmuls do not use tensor cores.)
namespace tenon::internal::codegen::attention {

/// The tile of a group. $0 its index, $1 the number of rows, $2 the tile size along them. (Tiles of
/// one head are adjacent: they read the same memory, and in causal attention a CPU that splits the
/// groups in halves balances the load.)
inline constexpr std::string_view places = R"(
  i64 const place = $0, blocks = ($1 + rows - 1) / rows, block = place % blocks;
  i64 const batch = place / blocks % batches;
  i32 const slice_0 = (i32)(place / (blocks * batches)) * slice;
  i64 const row_0 = ($2) * rows;
  i64 const query_0 = batch / heads * queries * heads + batch % heads;
  i64 const key_0 = batch / heads * keys * heads + batch % heads;
)";

/// Copies a part of a matrix to a tile, padded with zeros. $0 the loops, $1 the matrix, $2 its
/// first row, $3 the row, $4 the number of rows, $5 the column, $6 the element in the tile, $7 the
/// function that widens an element, $8 what follows.
inline constexpr std::string_view stage = R"(
    $0 {
      i64 const own = $3;
      i32 const inside = $5;
      $6 = own < $4 && inside < width ? $7($1[($2 + own * heads) * width + inside]) : 0;$8
    }
)";

/// Follows it, if the check for finite values is needed. $0 the element, $1 the flag set to 1 if
/// not.
inline constexpr std::string_view look = R"(
      if ($0 - $0 != 0) $1 = 1;)";

/// Each work item accumulates its sums. $0 the sums, $1 their number of columns, $2 and $3 the
/// operands, $4 the number of terms, $5 the type.
inline constexpr std::string_view multiply_together = R"(
    for (i32 k = 0; k < $4; ++k) {
      real a[own_rows], b[$1];
      #pragma unroll
      for (i32 r = 0; r < own_rows; ++r) a[r] = $2;
      #pragma unroll
      for (i32 c = 0; c < $1; ++c) b[c] = $3;
      #pragma unroll
      for (i32 r = 0; r < own_rows; ++r) {
        #pragma unroll
        for (i32 c = 0; c < $1; ++c) $0[r * $1 + c] = fma_$5(a[r], b[c], $0[r * $1 + c]);
      }
    }
)";

/// The same for a stage with values that are not finite: a row adds visible columns only, since 0 *
/// NaN is NaN. $0 to $5 as above, for elements of the tile and the matrix; $6 the comparison of a
/// visible column with a row.
inline constexpr std::string_view multiply_seen = R"(
    for (i32 k = 0; k < $4; ++k) {
      for (i32 r = 0; r < own_rows; ++r) {
        if (!(column_0 + gathered_0 + k $6 row_0 + own_row + r * across)) continue;
        for (i32 c = 0; c < $1; ++c) $0[r * $1 + c] = fma_$5($2, $3, $0[r * $1 + c]);
      }
    }
)";

/// Scores of a row become probabilities; earlier sums are rescaled to the new maximum. For a row
/// without visible columns so far the maximum is -infinity, and the shift 0. (Masked scores are not
/// passed to exp, whose subnormal intermediates are slow.) $0 exp, $1 -infinity, $2 a barrier, $3
/// the scale.
inline constexpr std::string_view soften_together = R"(
    real most[own_rows];
    for (i32 r = 0; r < own_rows; ++r) {
      i32 const row = own_row + r * across;
      i64 const left = (is_causal && row_0 + row < keys ? row_0 + row + 1 : keys) - column_0;
      most[r] = best[r];
      for (i32 c = 0; c < own_columns; ++c) {
        real const x = own_column + c * across < left ? score[r * own_columns + c] * $3 : $1;
        score[r * own_columns + c] = x;
        most[r] = most[r] < x ? x : most[r];
      }
      part[row * across + own_column] = most[r];
    }
    $2
    for (i32 r = 0; r < own_rows; ++r) {
      i32 const row = own_row + r * across;
      for (i32 t = 0; t < across; ++t) {
        real const x = part[row * across + t];
        most[r] = most[r] < x ? x : most[r];
      }
      real const shift = most[r] == $1 ? 0 : most[r];
      real const factor = $0(best[r] - shift);
      best[r] = most[r];
      total[r] *= factor;
      for (i32 c = 0; c < own_columns; ++c) {
        real const x = score[r * own_columns + c], y = $0(x == $1 ? 0 : x - shift);
        real const p = x == $1 ? 0 : y;
        total[r] += p;
        tile[row * column_pitch + own_column + c * across] = p;
      }
      for (i32 c = 0; c < own_slice; ++c) sum[r * own_slice + c] *= factor;
    }
)";

/// The same by one work item, eight columns at a time.
inline constexpr std::string_view soften_alone = R"(
    for (i32 r = 0; r < rows; ++r) {
      i64 const past_row = is_causal && row_0 + r < keys ? row_0 + r + 1 : keys;
      i32 const left = past_row - column_0 < columns ? (i32)(past_row - column_0) : columns;
      real lane[8];
      for (i32 t = 0; t < 8; ++t) lane[t] = best[r];
      for (i32 c = 0; c < columns; c += 8) {
        for (i32 t = 0; t < 8; ++t) {
          real const x = c + t < left ? score[r * columns + c + t] * $3 : $1;
          score[r * columns + c + t] = x;
          lane[t] = lane[t] < x ? x : lane[t];
        }
      }
      real most = lane[0];
      for (i32 t = 1; t < 8; ++t) most = most < lane[t] ? lane[t] : most;
      real const shift = most == $1 ? 0 : most;
      real const factor = $0(best[r] - shift);
      best[r] = most;
      for (i32 t = 0; t < 8; ++t) lane[t] = 0;
      for (i32 c = 0; c < columns; c += 8) {
        for (i32 t = 0; t < 8; ++t) {
          real const x = score[r * columns + c + t], y = $0(x == $1 ? 0 : x - shift);
          real const p = x == $1 ? 0 : y;
          tile[r * columns + c + t] = p;
          lane[t] += p;
        }
      }
      total[r] *= factor;
      for (i32 t = 0; t < 8; ++t) total[r] += lane[t];
      for (i32 c = 0; c < slice; ++c) sum[r * slice + c] *= factor;
    }
)";

/// Adds the partial sums of the work items of a row. $0 a barrier.
inline constexpr std::string_view total_together = R"(
  for (i32 r = 0; r < own_rows; ++r)
    part[(own_row + r * across) * across + own_column] = total[r];
  $0
  for (i32 r = 0; r < own_rows; ++r) {
    total[r] = 0;
    for (i32 t = 0; t < across; ++t) total[r] += part[(own_row + r * across) * across + t];
  }
)";

/// Stores the result. $0 the function that narrows to an element, $1 log.
inline constexpr std::string_view store_values = R"(
  for (i32 r = 0; r < own_rows; ++r) {
    i64 const i = row_0 + own_row + r * across;
    if (i >= queries) continue;
    i64 const at = query_0 + i * heads;
    if (own_column == 0 && slice_0 == 0) log_sums[at] = best[r] + $1(total[r]);
    for (i32 c = 0; c < own_slice; ++c) {
      i32 const inside = slice_0 + own_column + c * across;
      if (inside < width) out[at * width + inside] = $0(sum[r * own_slice + c] / total[r]);
    }
  }
)";

/// The adjoints of scores, for rows that are queries. A query whose delta is -infinity has a zero
/// adjoint and propagates nothing. $0 exp, $1 the scale, $2 -infinity.
inline constexpr std::string_view backward_rows = R"(
    for (i32 r = 0; r < own_rows; ++r) {
      i32 const row = own_row + r * across;
      i64 const i = row_0 + row, past_row = is_causal && i < keys ? i + 1 : keys;
      i32 const left = past_row - column_0 < columns ? (i32)(past_row - column_0) : columns;
      real const log_sum = i < queries ? log_sums[query_0 + i * heads] : 0;
      real const delta = i < queries ? deltas[query_0 + i * heads] : 0;
      for (i32 c = 0; c < own_columns; ++c) {
        i32 const column = own_column + c * across;
        real const p = $0(score[r * own_columns + c] * $1 - log_sum);
        real const x = p * (share[r * own_columns + c] - delta) * $1;
        tile[row * column_pitch + column] = column < left && delta != $2 ? x : 0;
      }
    }
)";

/// Probabilities, for rows that are keys: those that propagate adjoints. $0 exp, $1 the scale, $2
/// -infinity.
inline constexpr std::string_view probabilities = R"(
    real log_sum[own_columns], delta[own_columns];
    for (i32 c = 0; c < own_columns; ++c) {
      i64 const j = column_0 + own_column + c * across;
      log_sum[c] = j < queries ? log_sums[query_0 + j * heads] : 0;
      delta[c] = j < queries ? deltas[query_0 + j * heads] : 0;
    }
    i32 const past_column = queries - column_0 < columns ? (i32)(queries - column_0) : columns;
    for (i32 r = 0; r < own_rows; ++r) {
      i32 const row = own_row + r * across;
      i32 const first = is_causal ? (i32)(row_0 - column_0) + row : 0;
      for (i32 c = 0; c < own_columns; ++c) {
        i32 const column = own_column + c * across;
        real const x = $0(score[r * own_columns + c] * $1 - log_sum[c]);
        real const p = column >= first && column < past_column && delta[c] != $2 ? x : 0;
        score[r * own_columns + c] = p;
        tile[row * column_pitch + column] = p;
      }
    }
)";

/// The adjoints of scores, for rows that are keys. $0 the scale, $1 -infinity.
inline constexpr std::string_view backward_columns = R"(
    for (i32 r = 0; r < own_rows; ++r) {
      i32 const row = own_row + r * across;
      i32 const first = is_causal ? (i32)(row_0 - column_0) + row : 0;
      for (i32 c = 0; c < own_columns; ++c) {
        i32 const column = own_column + c * across, at = r * own_columns + c;
        real const x = score[at] * (share[at] - delta[c]) * $0;
        bool const passes = column >= first && column < past_column && delta[c] != $1;
        tile[row * column_pitch + column] = passes ? x : 0;
      }
    }
)";

/// Adds sums to an adjoint, or stores them. $0 the adjoint, $1 the sums, $2 its first row, $3 the
/// number of rows, $4 whether it adds.
inline constexpr std::string_view store_adjoint = R"(
  for (i32 r = 0; r < own_rows; ++r) {
    i64 const i = row_0 + own_row + r * across;
    if (i >= $3) continue;
    for (i32 c = 0; c < own_slice; ++c) {
      i32 const inside = slice_0 + own_column + c * across;
      i64 const at = ($2 + i * heads) * width + inside;
      if (inside < width) $0[at] = $4 != 0 ? $0[at] + $1[r * own_slice + c] : $1[r * own_slice + c];
    }
  }
)";

/// The sum over a query's features of its adjoint times its value; the sentinel -infinity if its
/// adjoint is all zero. $0 the loop over rows, $1 the function that widens an element, $2 the type,
/// $3 -infinity.
inline constexpr std::string_view deltas = R"(
  $0 {
    $2 sum = 0, most = 0;
    for (i64 k = 0; k < width; ++k) {
      $2 const own = adjoint[row * width + k];
      sum = fma_$2(own, $1(out[row * width + k]), sum);
      most = own == 0 ? most : 1;
    }
    deltas[row] = most == 0 ? $3 : sum == $3 ? sum - sum : sum;
  }
)";

}  // namespace tenon::internal::codegen::attention
