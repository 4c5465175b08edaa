#pragma once

#include <tenon/tensor/aliases.hpp>

/// Short types for code without axis names, after Eigen's; included by name. Sizes without a number
/// are known at run time. `a * b` is elementwise as for all tensors, `matmul(a, b)` the product.
namespace tenon {

/// Rows and columns of `float`. Eigen: `MatrixXf`.
using Matrix = Float32<"_ _">;
/// Two rows and columns. Eigen: `Matrix2f`.
using Matrix2 = Float32<"2 2">;
/// Three rows and columns. Eigen: `Matrix3f`.
using Matrix3 = Float32<"3 3">;
/// Four rows and columns. Eigen: `Matrix4f`.
using Matrix4 = Float32<"4 4">;

/// Numbers in one axis: `matmul` takes them as a column on its right, as a row on its left. Eigen:
/// `VectorXf`, which is a column.
using Vector = Float32<"_">;
/// Two numbers. Eigen: `Vector2f`, which is a column.
using Vector2 = Float32<"2">;
/// Three numbers. Eigen: `Vector3f`, which is a column.
using Vector3 = Float32<"3">;
/// Four numbers. Eigen: `Vector4f`, which is a column.
using Vector4 = Float32<"4">;

/// A matrix of one row. Eigen: `RowVectorXf`.
using RowVector = Float32<"1 _">;
/// A row of two numbers. Eigen: `RowVector2f`.
using RowVector2 = Float32<"1 2">;
/// A row of three numbers. Eigen: `RowVector3f`.
using RowVector3 = Float32<"1 3">;
/// A row of four numbers. Eigen: `RowVector4f`.
using RowVector4 = Float32<"1 4">;

/// A matrix of one column. Eigen: `VectorXf`.
using ColumnVector = Float32<"_ 1">;
/// A column of two numbers. Eigen: `Vector2f`.
using ColumnVector2 = Float32<"2 1">;
/// A column of three numbers. Eigen: `Vector3f`.
using ColumnVector3 = Float32<"3 1">;
/// A column of four numbers. Eigen: `Vector4f`.
using ColumnVector4 = Float32<"4 1">;

}  // namespace tenon
