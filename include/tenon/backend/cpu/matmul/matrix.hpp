#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace tenon::internal {

/// A matrix somewhere in memory; strides count elements and may be zero or negative.
template <class T>
struct StridedMatrix {
  T* data = nullptr;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 0;

  constexpr T& operator()(std::int64_t row, std::int64_t column) const {
    return data[row * row_stride + column * column_stride];
  }
  /// The submatrix from this row and column on.
  constexpr StridedMatrix from(std::int64_t row, std::int64_t column) const {
    return {&(*this)(row, column), row_stride, column_stride};
  }
  constexpr StridedMatrix transposed() const { return {data, column_stride, row_stride}; }
};

/// sum + a b. Integers wrap around, as NumPy's do.
template <class T>
constexpr T multiply_add(T sum, T a, T b) {
  static_assert(!std::is_same_v<T, bool>, "tenon: a mask has no product");
  if constexpr (std::is_integral_v<T>) {
    using Wide = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;
    return static_cast<T>(static_cast<Wide>(sum) + static_cast<Wide>(a) * static_cast<Wide>(b));
  } else {
    return sum + a * b;
  }
}

/// Sixteen elements as one value: a vector extension of g++ and clang, for this file's sums.
template <class T>
struct Sixteen {
  using Vector [[gnu::vector_size(16 * sizeof(T))]] = T;
  Vector elements{};

  void add_product(T const* a, T const* b) {
    Vector x, y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    elements += x * y;
  }
};

/// The sum of a(p) b(p) over contiguous a and b: sixteen partial sums, added at the end.
template <class T>
T sum_of_products(std::int64_t k, T const* a, T const* b) {
  T sum{};
  std::int64_t p = 0;
  if constexpr (std::is_floating_point_v<T>) {
    Sixteen<T> sums;
    for (; p + 16 <= k; p += 16) sums.add_product(a + p, b + p);
    for (int i = 0; i < 16; ++i) sum += sums.elements[i];
  }
  for (; p < k; ++p) sum = multiply_add(sum, a[p], b[p]);
  return sum;
}

/// One row of c += a b, by dot products: a and the columns of b are contiguous.
template <class T>
void add_row_of_dots(std::int64_t n, std::int64_t k, T const* a, StridedMatrix<T const> const& b,
                     T* c, std::int64_t c_stride) {
  for (std::int64_t j = 0; j < n; ++j) {
    T& sum = c[j * c_stride];
    sum = multiply_add(sum, T(1), sum_of_products(k, a, &b(0, j)));
  }
}

/// Adds `rows` rows of b to elements of c from j on, `width` at a time: c is read and written once.
/// Returns the end.
template <std::size_t rows, std::size_t width, class T>
std::int64_t add_pieces(std::int64_t j, std::int64_t n, T const (&factors)[rows], T const* b,
                        std::int64_t b_stride, T* c) {
  using Vector [[gnu::vector_size(width * sizeof(T))]] = T;
  constexpr auto step = static_cast<std::int64_t>(width);
  for (; j + step <= n; j += step) {
    Vector sum, x;
    std::memcpy(&sum, c + j, sizeof sum);
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows); ++i) {
      std::memcpy(&x, b + i * b_stride + j, sizeof x);
      sum += factors[i] * x;
    }
    std::memcpy(c + j, &sum, sizeof sum);
  }
  return j;
}

/// One row of c += a b for `rows` rows of b. All rows are contiguous. (A row may be shorter than a
/// vector of the auto-vectorised last loop.)
template <std::size_t rows, class T>
void add_rows(std::int64_t n, T const* a, std::int64_t a_stride, T const* b, std::int64_t b_stride,
              T* c) {
  constexpr auto count = static_cast<std::int64_t>(rows);
  T factors[rows];
  for (std::int64_t i = 0; i < count; ++i) factors[i] = a[i * a_stride];
  std::int64_t j = 0;
  if constexpr (std::is_floating_point_v<T>) {
    j = add_pieces<rows, 16>(j, n, factors, b, b_stride, c);
    j = add_pieces<rows, 4>(j, n, factors, b, b_stride, c);
  }
  for (; j < n; ++j) {
    T sum = c[j];
    for (std::int64_t i = 0; i < count; ++i)
      sum = multiply_add(sum, factors[i], b[i * b_stride + j]);
    c[j] = sum;
  }
}

/// One row of c += a b, row by row of b.
template <class T>
void add_row_of_rows(std::int64_t n, std::int64_t k, T const* a, std::int64_t a_stride,
                     StridedMatrix<T const> const& b, T* c, std::int64_t c_stride) {
  if (b.column_stride == 1 && c_stride == 1) {
    std::int64_t p = 0;
    for (; p + 8 <= k; p += 8)
      add_rows<8>(n, a + p * a_stride, a_stride, &b(p, 0), b.row_stride, c);
    for (; p + 4 <= k; p += 4)
      add_rows<4>(n, a + p * a_stride, a_stride, &b(p, 0), b.row_stride, c);
    for (; p < k; ++p) add_rows<1>(n, a + p * a_stride, a_stride, &b(p, 0), b.row_stride, c);
    return;
  }
  for (std::int64_t p = 0; p < k; ++p) {
    T const factor = a[p * a_stride];
    T const* const row = &b(p, 0);
    for (std::int64_t j = 0; j < n; ++j) {
      T& sum = c[j * c_stride];
      sum = multiply_add(sum, factor, row[j * b.column_stride]);
    }
  }
}

/// c += a b, row by row.
template <class T>
void loop_rows(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> const& a,
               StridedMatrix<T const> const& b, StridedMatrix<T> const& c) {
  bool const dots = a.column_stride == 1 && b.row_stride == 1;
  for (std::int64_t i = 0; i < m; ++i) {
    if (dots) {
      add_row_of_dots(n, k, &a(i, 0), b, &c(i, 0), c.column_stride);
    } else {
      add_row_of_rows(n, k, &a(i, 0), a.column_stride, b, &c(i, 0), c.column_stride);
    }
  }
}

/// c += a b by loops: for small and thin matrices and dtypes without a kernel. Any strides. A
/// column is computed as a row of the transposed matmul, also if it has one element: the order of
/// sums is the same.
template <class T>
void loop_product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> const& a,
                  StridedMatrix<T const> const& b, StridedMatrix<T> const& c) {
  if (n == 1) loop_rows(1, m, k, b.transposed(), a.transposed(), c.transposed());
  else loop_rows(m, n, k, a, b, c);
}

}  // namespace tenon::internal
