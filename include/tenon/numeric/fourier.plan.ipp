#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <tenon/backend/cpu/simd/lanes.hpp>
#include <tenon/core/config.hpp>
#include <tenon/core/mutex.hpp>
#include <tenon/numeric/fourier.hpp>

/// Complex numbers in two arrays, and butterflies: the transforms of two to five numbers.
namespace tenon::internal::fourier {

template <class T>
struct Parts {
  T* re;
  T* im;
  Parts from(std::int64_t i) const { return {re + i, im + i}; }
};

/// One complex number, or one in each lane.
template <class V>
struct Number {
  V re, im;
  TENON_INLINE friend Number operator+(Number const& a, Number const& b) {
    return {a.re + b.re, a.im + b.im};
  }
  TENON_INLINE friend Number operator-(Number const& a, Number const& b) {
    return {a.re - b.re, a.im - b.im};
  }
  TENON_INLINE friend Number operator*(V scale, Number const& a) {
    return {scale * a.re, scale * a.im};
  }
};

/// -i a.
template <class V>
TENON_INLINE inline Number<V> quarter_turn(Number<V> const& a) {
  return {a.im, -a.re};
}

template <class V, class W>
TENON_INLINE inline Number<V> product(Number<V> const& a, Number<W> const& w) {
  using intrinsics::fma;
  V const re = V(w.re), im = V(w.im);
  return {fma(a.re, re, -(a.im * im)), fma(a.re, im, a.im * re)};
}

template <class T>
TENON_INLINE inline Number<T> number_at(Parts<T> x, std::int64_t i, T) {
  return {x.re[i], x.im[i]};
}
template <class T>
TENON_INLINE inline Number<Lanes<T>> number_at(Parts<T> x, std::int64_t i, Lanes<T>) {
  return {Lanes<T>::load(x.re + i), Lanes<T>::load(x.im + i)};
}
template <class T>
TENON_INLINE inline void set_number(Parts<T> x, std::int64_t i, Number<T> const& a) {
  x.re[i] = a.re, x.im[i] = a.im;
}
template <class T>
TENON_INLINE inline void set_number(Parts<T> x, std::int64_t i, Number<Lanes<T>> const& a) {
  a.re.store(x.re + i), a.im.store(x.im + i);
}

template <class V>
TENON_INLINE inline void butterfly(Number<V> (&a)[2]) {
  Number<V> const sum = a[0] + a[1];
  a[1] = a[0] - a[1];
  a[0] = sum;
}
template <class V>
TENON_INLINE inline void butterfly(Number<V> (&a)[3]) {
  using T = intrinsics::scalar_of<V>;
  Number<V> const sum = a[1] + a[2], middle = a[0] - V(T(0.5)) * sum;
  Number<V> const side = quarter_turn(V(T(0.866025403784438646763723170752936183)) * (a[1] - a[2]));
  a[0] = a[0] + sum;
  a[1] = middle + side;
  a[2] = middle - side;
}
template <class V>
TENON_INLINE inline void butterfly(Number<V> (&a)[4]) {
  Number<V> const even = a[0] + a[2], odd = a[1] + a[3];
  Number<V> const middle = a[0] - a[2], side = quarter_turn(a[1] - a[3]);
  a[0] = even + odd;
  a[1] = middle + side;
  a[2] = even - odd;
  a[3] = middle - side;
}
template <class V>
TENON_INLINE inline void butterfly(Number<V> (&a)[5]) {
  using T = intrinsics::scalar_of<V>;
  V const cos1 = T(0.309016994374947424102293417182819059),
          cos2 = T(-0.809016994374947424102293417182819059);
  V const sin1 = T(0.951056516295153572116439333379382143),
          sin2 = T(0.587785252292473129168705954639072769);
  Number<V> const sum1 = a[1] + a[4], sum2 = a[2] + a[3];
  Number<V> const difference1 = a[1] - a[4], difference2 = a[2] - a[3];
  Number<V> const middle1 = a[0] + cos1 * sum1 + cos2 * sum2;
  Number<V> const middle2 = a[0] + cos2 * sum1 + cos1 * sum2;
  Number<V> const side1 = quarter_turn(sin1 * difference1 + sin2 * difference2);
  Number<V> const side2 = quarter_turn(sin2 * difference1 - sin1 * difference2);
  a[0] = a[0] + sum1 + sum2;
  a[1] = middle1 + side1;
  a[4] = middle1 - side1;
  a[2] = middle2 + side2;
  a[3] = middle2 - side2;
}

}  // namespace tenon::internal::fourier

/// The transforms of one length.
namespace tenon::internal::fourier {

/// exp(-2 pi i j / n): the nearest quarter of a turn, and an angle of at most an eighth.
inline Number<double> root_of_unity(std::int64_t j, std::int64_t n) {
  std::int64_t const quarter = (4 * j + n / 2) / n;
  double const rest = static_cast<double>(4 * j - quarter * n) / static_cast<double>(n);
  double const angle = 1.57079632679489661923 * rest, c = std::cos(angle), s = std::sin(angle);
  switch (quarter % 4) {
    case 0:
      return {c, -s};
    case 1:
      return {-s, -c};
    case 2:
      return {-c, s};
    default:
      return {s, c};
  }
}

/// The largest prime factor for which sums over it are faster than a convolution.
inline constexpr std::int64_t largest_radix = 31;

inline std::vector<int> radices_of(std::int64_t n) {
  std::vector<int> radices;
  for (int const radix : {4, 2, 3, 5})
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  for (int radix = 7; radix <= largest_radix; radix += 2)
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  if (n > 1) radices.clear();
  return radices;
}

/// The smallest power of two that is at least n.
inline std::int64_t power_of_two_from(std::int64_t n) {
  std::int64_t power = 1;
  while (power < n) power *= 2;
  return power;
}

template <class T>
class Plan;

/// A plan, from a cache of the last ones.
template <class T>
std::shared_ptr<Plan<T> const> plan_of(std::int64_t n);

/// X[k] = sum_j x[j] exp(-2 pi i jk / n) of interleaved lines, for a length with small prime
/// factors by Stockham's passes; for another as a convolution with a chirp (L. Bluestein, 1970).
template <class T>
class Plan {
 public:
  std::int64_t const n;

  explicit Plan(std::int64_t length) : n(length), radices_(radices_of(length)), roots_(roots(n)) {
    if (n > 1 && radices_.empty()) make_chirp();
    else if (n >= shortest_matrix) make_matrix();
  }

  Number<T> root(std::int64_t j) const { return roots_[static_cast<std::size_t>(j)]; }

  /// The transform of `x` is there or in `work`, the arrays of n numbers per line; returns where.
  Parts<T> run(Parts<T> x, Parts<T> work, std::int64_t lines) const {
    if (convolution_) return convolve(x, lines);
    if (rows_ && lines == 1) return run_as_matrix(x, work);
    std::int64_t length = n, inner = lines;
    for (int const radix : radices_) {
      pass(radix, length, inner, x, work);
      std::swap(x, work);
      length /= radix;
      inner *= radix;
    }
    return x;
  }

 private:
  using Numbers = std::vector<Number<T>>;

  static Numbers roots(std::int64_t n) {
    Numbers result(static_cast<std::size_t>(n));
    for (std::int64_t j = 0; j < n; ++j) {
      auto const root = root_of_unity(j, n);
      result[static_cast<std::size_t>(j)] = {static_cast<T>(root.re), static_cast<T>(root.im)};
    }
    return result;
  }

  /// One pass: transforms of `radix` numbers that are length / radix apart.
  void pass(int radix, std::int64_t length, std::int64_t inner, Parts<T> x, Parts<T> y) const {
    switch (radix) {
      case 2:
        return pass<2>(length, inner, x, y);
      case 3:
        return pass<3>(length, inner, x, y);
      case 4:
        return pass<4>(length, inner, x, y);
      case 5:
        return pass<5>(length, inner, x, y);
      default:
        return pass_of_sums(radix, length, inner, x, y);
    }
  }
  template <int radix>
  void pass(std::int64_t length, std::int64_t inner, Parts<T> x, Parts<T> y) const {
    std::int64_t const parts = length / radix, step = n / length;
    for (std::int64_t p = 0; p < parts; ++p) {
      Number<T> turns[std::size_t{radix}];
      for (int k = 0; k < radix; ++k) turns[k] = root(p * k * step);
      auto const at = [&](std::int64_t q, auto v) {
        Number<decltype(v)> a[std::size_t{radix}];
        for (int k = 0; k < radix; ++k) a[k] = number_at(x, q + inner * (p + parts * k), v);
        butterfly(a);
        set_number(y, q + inner * radix * p, a[0]);
        for (int k = 1; k < radix; ++k)
          set_number(y, q + inner * (radix * p + k), product(a[k], turns[k]));
      };
      std::int64_t q = 0;
      for (; q + lane_count <= inner; q += lane_count) at(q, Lanes<T>());
      for (; q < inner; ++q) at(q, T());
    }
  }
  void pass_of_sums(int radix, std::int64_t length, std::int64_t inner, Parts<T> x,
                    Parts<T> y) const {
    std::int64_t const parts = length / radix, step = n / length, turn = n / radix;
    for (std::int64_t p = 0; p < parts; ++p) {
      for (int j = 0; j < radix; ++j) {
        auto const at = [&](std::int64_t q, auto v) {
          auto sum = number_at(x, q + inner * p, v);
          for (int k = 1; k < radix; ++k) {
            auto const from = number_at(x, q + inner * (p + parts * k), v);
            sum = sum + product(from, root(j * k % radix * turn));
          }
          set_number(y, q + inner * (radix * p + j), product(sum, root(p * j * step)));
        };
        std::int64_t q = 0;
        for (; q + lane_count <= inner; q += lane_count) at(q, Lanes<T>());
        for (; q < inner; ++q) at(q, T());
      }
    }
  }

  /// The length from which one line is a matrix, whose columns fill registers.
  static constexpr std::int64_t shortest_matrix = 1024;

  void make_matrix() {
    std::int64_t rows = 1;
    for (int const radix : radices_)
      if (rows * rows < n) rows *= radix;
    rows_ = plan_of<T>(rows);
    columns_ = plan_of<T>(n / rows);
  }

  /// A line as a matrix: the transforms of its columns, turned, then those of its rows (D. Bailey,
  /// 1990).
  Parts<T> run_as_matrix(Parts<T> x, Parts<T> work) const {
    std::int64_t const rows = rows_->n, columns = columns_->n;
    Parts<T> const y = rows_->run(x, work, columns), turned = y.re == x.re ? work : x;
    for (std::int64_t some = 0; some < columns; some += lane_count)
      for (std::int64_t k = 0; k < rows; ++k)
        for (std::int64_t j = some; j < (std::min)(some + lane_count, columns); ++j)
          set_number(turned, j * rows + k,
                     product(number_at(y, k * columns + j, T()), root(j * k)));
    return columns_->run(turned, y, rows);
  }

  /// exp(-pi i j²/n), and the transform of its conjugate, on both sides of 0.
  void make_chirp() {
    convolution_ = plan_of<T>(power_of_two_from(2 * n - 1));
    std::int64_t const size = convolution_->n;
    std::vector<T> memory(static_cast<std::size_t>(4 * size));
    Parts<T> const x{memory.data(), memory.data() + size}, work{x.im + size, x.im + 2 * size};
    for (std::int64_t j = 0; j < n; ++j) {
      auto const root = root_of_unity(j * j % (2 * n), 2 * n);
      chirp_.push_back({static_cast<T>(root.re), static_cast<T>(root.im)});
      for (std::int64_t const at : {j, (size - j) % size})
        set_number(x, at, Number<T>{chirp_.back().re, -chirp_.back().im});
    }
    Parts<T> const result = convolution_->run(x, work, 1);
    for (std::int64_t k = 0; k < size; ++k) {
      auto const number = number_at(result, k, T());
      spectrum_.push_back(T(1) / static_cast<T>(size) * number);
    }
  }

  /// Multiplies the numbers of interleaved lines by those of one.
  static void multiply(Parts<T> x, Numbers const& by, std::int64_t lines) {
    for (std::size_t j = 0; j < by.size(); ++j) {
      auto const row = x.from(static_cast<std::int64_t>(j) * lines);
      for (std::int64_t b = 0; b < lines; ++b)
        set_number(row, b, product(number_at(row, b, T()), by[j]));
    }
  }

  /// The inverse transform is that of exchanged real and imaginary parts.
  Parts<T> convolve(Parts<T> x, std::int64_t lines) const {
    std::int64_t const size = convolution_->n * lines, used = n * lines;
    std::vector<T> memory(static_cast<std::size_t>(4 * size));
    Parts<T> const wide{memory.data(), memory.data() + size};
    Parts<T> const work{wide.im + size, wide.im + 2 * size};
    multiply(x, chirp_, lines);
    std::copy_n(x.re, used, wide.re), std::copy_n(x.im, used, wide.im);
    Parts<T> const there = convolution_->run(wide, work, lines);
    multiply(there, spectrum_, lines);
    Parts<T> const other = there.re == wide.re ? work : wide;
    Parts<T> const back = convolution_->run({there.im, there.re}, {other.im, other.re}, lines);
    std::copy_n(back.im, used, x.re), std::copy_n(back.re, used, x.im);
    multiply(x, chirp_, lines);
    return x;
  }

  std::vector<int> radices_;
  Numbers roots_, chirp_, spectrum_;
  std::shared_ptr<Plan const> convolution_, rows_, columns_;
};

template <class T>
std::shared_ptr<Plan<T> const> plan_of(std::int64_t n) {
  constexpr std::size_t most = 16;
  static Mutex mutex;
  static std::vector<std::shared_ptr<Plan<T> const>> plans;
  {
    MutexLock const lock(mutex);
    for (auto const& plan : plans)
      if (plan->n == n) return plan;
  }
  auto made = std::make_shared<Plan<T> const>(n);
  MutexLock const lock(mutex);
  if (plans.size() == most) plans.erase(plans.begin());
  plans.push_back(made);
  return made;
}

}  // namespace tenon::internal::fourier
