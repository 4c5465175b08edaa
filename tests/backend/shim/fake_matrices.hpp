// Column-major matrices of the fake cuBLASLt, and its matmul, as NVIDIA documents it.

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace shim {

enum : int { float32 = 0, float64 = 1, float16 = 2, bfloat16 = 14 };

/// `cublasLtEpilogue_t`.
enum : std::uint32_t { relu = 2, bias = 4, gelu = 32 };

struct Operation {
  int compute, scale;
  bool is_transposed[2] = {false, false};
  std::uint32_t epilogue = 1;
  std::byte const* bias = nullptr;  ///< In device memory.

  bool rounds_factors() const { return compute == 77; }
  bool adds_bias() const { return (epilogue & shim::bias) != 0; }
};
struct Layout {
  int type;
  std::int64_t rows, columns, leading;
  std::int32_t batches = 1;
  std::int64_t step = 0;

  std::size_t element_bytes() const { return type == float64 ? 8 : type == float32 ? 4 : 2; }
  std::size_t bytes() const {
    std::int64_t const last = (batches - 1) * step + (columns - 1) * leading + rows;
    return static_cast<std::size_t>(last) * element_bytes();
  }
};
inline double number(int type, std::byte const* at) {
  if (type == float64) {
    double x;
    std::memcpy(&x, at, sizeof x);
    return x;
  }
  float y = 0;
  if (type == float32) std::memcpy(&y, at, sizeof y);
  if (type == bfloat16) std::memcpy(reinterpret_cast<char*>(&y) + 2, at, 2);
  if (type == float16) {
    _Float16 half;
    std::memcpy(&half, at, 2);
    y = static_cast<float>(half);
  }
  return static_cast<double>(y);
}
inline void store(int type, std::byte* at, double value) {
  if (type == float64) {
    std::memcpy(at, &value, sizeof value);
    return;
  }
  float const rounded = static_cast<float>(value);
  if (type == float32) std::memcpy(at, &rounded, sizeof rounded);
  if (type == bfloat16) {
    std::uint32_t bits;
    std::memcpy(&bits, &rounded, 4);
    bits += 0x7FFFu + (bits >> 16 & 1u);
    auto const upper = static_cast<std::uint16_t>(bits >> 16);
    std::memcpy(at, &upper, 2);
  }
  if (type == float16) {
    auto const half = static_cast<_Float16>(rounded);
    std::memcpy(at, &half, 2);
  }
}

/// A matrix of one batch; `row, column` are those after a transposition.
struct Matrix {
  Layout layout;
  bool is_transposed;
  std::byte* data;

  std::byte* at(std::int64_t row, std::int64_t column) const {
    if (is_transposed) std::swap(row, column);
    return data + static_cast<std::size_t>(row + column * layout.leading) * layout.element_bytes();
  }
  double operator()(std::int64_t row, std::int64_t column) const {
    return number(layout.type, at(row, column));
  }
  std::int64_t rows() const { return is_transposed ? layout.columns : layout.rows; }
  std::int64_t columns() const { return is_transposed ? layout.rows : layout.columns; }
  Matrix batch(std::int64_t i) const {
    Matrix moved = *this;
    moved.data += i * layout.step * static_cast<std::int64_t>(layout.element_bytes());
    return moved;
  }
};

/// TF32: 10 bits after the leading one, ties away from zero.
inline double rounded_to_tf32(double x) {
  auto y = static_cast<float>(x);
  std::uint32_t bits;
  std::memcpy(&bits, &y, 4);
  bits = (bits + 0x1000u) & ~0x1FFFu;
  std::memcpy(&y, &bits, 4);
  return static_cast<double>(y);
}

/// Applies the epilogue to a sum. NaN becomes zero: cuBLASLt makes no guarantee for it.
inline double ended(Operation const& how, double sum) {
  if ((how.epilogue & relu) != 0) return std::fmax(sum, 0.0);
  if ((how.epilogue & gelu) == 0) return sum;
  return 0.5 * sum * (1 + std::tanh(0.79788456080286536 * (sum + 0.044715 * sum * sum * sum)));
}

/// D = epilogue(alpha A B + beta D + bias).
inline void multiply(Operation const& how, Matrix const& a, Matrix const& b, Matrix const& d,
                     double alpha, double beta) {
  auto const factor = [&](double x) { return how.rounds_factors() ? rounded_to_tf32(x) : x; };
  auto const bytes = static_cast<std::int64_t>(d.layout.element_bytes());
  for (std::int64_t i = 0; i < d.rows(); ++i)
    for (std::int64_t j = 0; j < d.columns(); ++j) {
      double sum = 0;
      for (std::int64_t p = 0; p < a.columns(); ++p) sum += factor(a(i, p)) * factor(b(p, j));
      double const before = beta == 0 ? 0 : beta * d(i, j);
      double const added = how.adds_bias() ? number(d.layout.type, how.bias + i * bytes) : 0;
      store(d.layout.type, d.at(i, j), ended(how, alpha * sum + before + added));
    }
}

/// The valid combinations of dtypes (NVIDIA's table of `cublasLtMatmul`, regular matrices).
inline bool is_known(Operation const& how, Layout const& a, Layout const& b, Layout const& d) {
  if (a.type != b.type) return false;
  if (how.compute == 70) return how.scale == float64 && a.type == float64 && d.type == float64;
  if (how.compute == 77) return how.scale == float32 && a.type == float32 && d.type == float32;
  bool const fits = a.type == d.type || (a.type != float32 && d.type == float32);
  return how.compute == 68 && how.scale == float32 && a.type != float64 && fits;
}

/// True if the sizes fit and columns do not overlap.
inline bool fits(Operation const& operation, Layout const& a, Layout const& b, Layout const& c) {
  Matrix const left{a, operation.is_transposed[0], nullptr};
  Matrix const right{b, operation.is_transposed[1], nullptr};
  Matrix const result{c, false, nullptr};
  bool const has_leading = a.leading >= a.rows && b.leading >= b.rows && c.leading >= c.rows;
  bool const has_any = c.rows > 0 && c.columns > 0 && left.columns() > 0;
  return has_any && has_leading && left.columns() == right.rows() && left.rows() == result.rows() &&
         right.columns() == result.columns() && a.batches == c.batches && b.batches == c.batches;
}

}  // namespace shim
