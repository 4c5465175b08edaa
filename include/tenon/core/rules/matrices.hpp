#pragma once

#include <array>
#include <cstdint>

#include <tenon/core/language/division.hpp>
#include <tenon/core/rules/agree.hpp>
#include <tenon/core/rules/broadcast.hpp>
#include <tenon/core/rules/contraction.hpp>
#include <tenon/core/rules/resolve.hpp>

/// The shapes of linear algebra: a matrix is the last two axes, the axes before it are a batch. The
/// names of a matrix work like units: "n m" maps vectors along `m` to vectors along `n`.
namespace tenon::internal {

/// Whether the last two axes of a shape can have one size.
constexpr bool is_square(Shape const& shape) {
  return shape.rank >= 2 && can_be_equal(shape[shape.rank - 2], shape[shape.rank - 1]);
}

/// An axis with its name and, if it is not static, the static size of another axis of equal size.
constexpr Axis sized_as(Axis const& axis, Axis const& other) {
  if (axis.is_static() || !other.is_static()) return axis;
  return axis.is_named() ? named_axis(axis.name.view(), other.size) : axis_of_size(other.size);
}

/// The batch axes of a matrix, followed by other axes.
template <class... A>
constexpr Shape batch_and(Shape const& shape, A const&... axes) {
  Shape result = leading(shape, shape.rank - 2);
  AxisMap to = same_order(result.rank);
  [[maybe_unused]] auto const add = [&](Axis const& axis) {
    for (int i = shape.rank - 2; i < shape.rank; ++i) {
      if (axis == shape[i]) to[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(result.rank);
    }
    result[result.rank++] = axis;
  };
  (add(axes), ...);
  return resolve(without_captures(result, shape, to)).shape;
}

/// "n m" of a matrix becomes "m n" of its inverse.
constexpr Shape inverse_shape(Shape const& a) {
  Axis const &row = a[a.rank - 2], &column = a[a.rank - 1];
  return batch_and(a, sized_as(column, row), sized_as(row, column));
}

/// A linear map of a space to itself has one axis twice.
constexpr Shape symmetric_shape(Shape const& a) {
  Axis const axis = merge(a[a.rank - 2], a[a.rank - 1]);
  return batch_and(a, axis, axis);
}

/// The shorter axis of a matrix, the number of columns of its factors: min(m,n), without a name.
constexpr Axis shorter_axis(Shape const& a) {
  return axis_of(minimum(symbolic_extent(a[a.rank - 2]), symbolic_extent(a[a.rank - 1])));
}

/// The interpretation of the operands of `solve`, or the axes that do not fit.
struct Solving {
  bool fits = false;
  bool vectors = false;  ///< b is a batch of vectors, not of matrices.
  Broadcast<2> batch{};  ///< The axes before matrices and vectors.
  Shape shape{};
  int left_axis = -1, right_axis = -1;
};

/// The shape of a solution: the batch, the columns of `a` and, unless b is a batch of vectors,
/// those of b, whose rows are axis `rows`.
constexpr ResolvedAxes solution_axes(Shape const& a, Shape const& b, int rows, bool vectors,
                                     Broadcast<2> const& batch) {
  Shape shape = batch.shape;
  AxisScope from_a{a, batch.maps[0]}, from_b{b, batch.maps[1]};
  from_a.to[static_cast<std::size_t>(a.rank - 1)] = static_cast<std::int8_t>(shape.rank);
  shape[shape.rank++] = sized_as(a[a.rank - 1], merge(a[a.rank - 2], b[rows]));
  if (int const columns = rows + 1; !vectors) {
    from_b.to[static_cast<std::size_t>(columns)] = static_cast<std::int8_t>(shape.rank);
    shape[shape.rank++] = b[columns];
  }
  return resolve(without_captures(shape, std::array<AxisScope, 2>{from_a, from_b}));
}

/// One interpretation for `solve`: b ends in a vector, or in a matrix.
constexpr Solving solve_reading(Shape const& a, Shape const& b, bool vectors) {
  Solving result;
  result.vectors = vectors;
  int const rows = b.rank - (vectors ? 1 : 2);
  result.left_axis = a.rank - 2;
  result.right_axis = rows < 0 ? -1 : rows;
  if (rows < 0 || !agree(a[a.rank - 2], b[rows])) return result;
  result.batch = broadcast_shapes(leading(a, a.rank - 2), leading(b, rows));
  result.left_axis = result.batch.left_axis;
  result.right_axis = result.batch.right_axis;
  if (!result.batch.fits || result.batch.shape.rank + 2 > max_rank) return result;
  ResolvedAxes const resolved_axes = solution_axes(a, b, rows, vectors, result.batch);
  result.shape = resolved_axes.shape;
  result.fits = resolved_axes.mistake.empty();
  return result;
}

/// "n m" and "n" give "m", "n m" and "n k" give "m k". With as many axes as a has before its last
/// one, b is a batch of vectors, unless it fits as a batch of matrices: then, as in NumPy, it is
/// one.
constexpr Solving solve_rule(Shape const& a, Shape const& b) {
  Solving const matrices = solve_reading(a, b, false);
  if (b.rank > 1 && (matrices.fits || b.rank != a.rank - 1)) return matrices;
  Solving const vectors = solve_reading(a, b, true);
  return vectors.fits || b.rank == 1 ? vectors : matrices;
}

/// An operand broadcast to all axes of a batch: the batch, then its own last ones.
struct Stretch {
  bool needed = false;
  Shape shape{};
  AxisMap order = no_axes();  ///< For each axis that of the operand, -1 where it repeats.
};

/// The broadcast of the axes before the last `own` ones of `operand` to those of the batch.
constexpr Stretch stretch_rule(Broadcast<2> const& batch, std::size_t side, Shape const& operand,
                               int own) {
  Stretch result;
  result.shape = batch.shape;
  result.needed = operand.rank - own != batch.shape.rank;
  for (int i = 0; i < batch.shape.rank; ++i) {
    int const from = position_of(batch.maps[side], i);
    bool const repeats = from < 0 || (operand[from].is_one() && !batch.shape[i].is_one());
    result.order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(repeats ? -1 : from);
    result.needed = result.needed || repeats;
  }
  for (int i = operand.rank - own; i < operand.rank; ++i) {
    result.order[static_cast<std::size_t>(result.shape.rank)] = static_cast<std::int8_t>(i);
    result.shape[result.shape.rank++] = operand[i];
  }
  return result;
}

}  // namespace tenon::internal
