#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace tenon {

/// A matrix somewhere in memory; strides count elements and may be zero or negative.
template <class T>
struct StridedMatrix {
  T* data = nullptr;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 0;

  constexpr T& operator()(std::int64_t row, std::int64_t column) const {
    return data[row * row_stride + column * column_stride];
  }
  /// What begins at this row and column.
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

/// The sum of a(p) b(p) over contiguous a and b: sixteen sums side by side, added at the end.
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
void add_row_of_dots(std::int64_t n, std::int64_t k, T const* a, StridedMatrix<T const> b, T* c,
                     std::int64_t c_stride) {
  for (std::int64_t j = 0; j < n; ++j) {
    T& sum = c[j * c_stride];
    sum = multiply_add(sum, T(1), sum_of_products(k, a, &b(0, j)));
  }
}

/// One row of c += a b for four rows of b: c is read and written once. All rows are contiguous.
template <class T>
void add_four_rows(std::int64_t n, T const* a, std::int64_t a_stride, T const* b,
                   std::int64_t b_stride, T* c) {
  T const f0 = a[0], f1 = a[a_stride], f2 = a[2 * a_stride], f3 = a[3 * a_stride];
  T const *b0 = b, *b1 = b0 + b_stride, *b2 = b1 + b_stride, *b3 = b2 + b_stride;
  for (std::int64_t j = 0; j < n; ++j) {
    T sum = multiply_add(c[j], f0, b0[j]);
    sum = multiply_add(sum, f1, b1[j]);
    sum = multiply_add(sum, f2, b2[j]);
    c[j] = multiply_add(sum, f3, b3[j]);
  }
}

/// One row of c += a b, row by row of b.
template <class T>
void add_row_of_rows(std::int64_t n, std::int64_t k, T const* a, std::int64_t a_stride,
                     StridedMatrix<T const> b, T* c, std::int64_t c_stride) {
  std::int64_t const fours = b.column_stride == 1 && c_stride == 1 ? k / 4 * 4 : 0;
  for (std::int64_t p = 0; p < fours; p += 4) {
    add_four_rows(n, a + p * a_stride, a_stride, &b(p, 0), b.row_stride, c);
  }
  for (std::int64_t p = fours; p < k; ++p) {
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
void loop_rows(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
               StridedMatrix<T const> b, StridedMatrix<T> c) {
  bool const dots = a.column_stride == 1 && b.row_stride == 1;
  for (std::int64_t i = 0; i < m; ++i) {
    if (dots) {
      add_row_of_dots(n, k, &a(i, 0), b, &c(i, 0), c.column_stride);
    } else {
      add_row_of_rows(n, k, &a(i, 0), a.column_stride, b, &c(i, 0), c.column_stride);
    }
  }
}

/// c += a b by loops: for what is small, thin or has no kernel. Any strides. A column is a row of
/// the transposed product, also where it has one element only: its parts are summed alike.
template <class T>
void loop_product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                  StridedMatrix<T const> b, StridedMatrix<T> c) {
  if (n == 1) loop_rows(1, m, k, b.transposed(), a.transposed(), c.transposed());
  else loop_rows(m, n, k, a, b, c);
}

}  // namespace tenon
