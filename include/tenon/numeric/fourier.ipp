#pragma once

#include <algorithm>
#include <array>

#include <tenon/backend/cpu/threads.hpp>
#include <tenon/numeric/fourier.hpp>
#include <tenon/tensor/workspace.hpp>

/// Lines are transformed in groups, interleaved: number j of line b at j * group + b.
namespace tenon::internal::fourier {

/// Where the lines of a group are in an array whose lines have `length` numbers.
struct GroupedLines {
  std::int64_t count, length, step;
  std::array<std::int64_t, std::size_t{lane_count}> begin{};

  GroupedLines(Lines const& lines, std::int64_t first, std::int64_t number, std::int64_t size)
      : count(number), length(size), step(lines.inner) {
    for (std::int64_t b = 0; b < count; ++b)
      begin[static_cast<std::size_t>(b)] = (first + b) / step * length * step + (first + b) % step;
  }
  /// Calls f(place in the array, number j, line b) for the first numbers of each line, some numbers
  /// of all lines at a time, so that both arrays stay in cache.
  template <class F>
  void each(std::int64_t numbers, F const& f) const {
    for (std::int64_t some = 0; some < numbers; some += lane_count)
      for (std::int64_t b = 0; b < count; ++b)
        for (std::int64_t j = some; j < (std::min)(some + lane_count, numbers); ++j)
          f(begin[static_cast<std::size_t>(b)] + j * step, j, b);
  }
  /// The same, and g(j, b) for those of `all` numbers that a line does not have.
  template <class F, class G>
  void each_of(std::int64_t all, F const& f, G const& g) const {
    each((std::min)(all, length), f);
    for (std::int64_t j = length; j < all; ++j)
      for (std::int64_t b = 0; b < count; ++b) g(j, b);
  }
};

/// How the lines of a kind are read into complex lines of `length()` numbers, and the results
/// stored. For an inverse transform real and imaginary parts are exchanged on both ends.
template <class T>
struct ComplexLines {
  using From = std::complex<T>;
  using To = std::complex<T>;
  Lines const& lines;

  std::int64_t length() const { return lines.n; }
  Parts<T> parts(Parts<T> x) const { return lines.inverse ? Parts<T>{x.im, x.re} : x; }
  void read(From const* from, GroupedLines const& group, Parts<T> memory) const {
    Parts<T> const x = parts(memory);
    auto const set = [&](std::int64_t j, std::int64_t b, From const& z) {
      set_number(x, j * group.count + b, Number<T>{z.real(), z.imag()});
    };
    group.each_of(
        lines.n, [&](auto at, auto j, auto b) { set(j, b, from[at]); },
        [&](auto j, auto b) { set(j, b, From()); });
  }
  void write(Parts<T> memory, GroupedLines const& group, To* to) const {
    Parts<T> const x = parts(memory);
    T const scale = static_cast<T>(lines.scale);
    group.each(group.length, [&](std::int64_t at, std::int64_t j, std::int64_t b) {
      std::int64_t const i = j * group.count + b;
      to[at] = j < lines.n ? To(scale * x.re[i], scale * x.im[i]) : To();
    });
  }
};

/// A real line of even length is one of half as many complex numbers; of these, with the transforms
/// E and O of its even and odd elements, the transform is E + iO, and that of the line E + w O.
template <class T>
struct RealLines {
  using From = T;
  using To = std::complex<T>;
  Lines const& lines;
  Plan<T> const& plan;

  bool is_even() const { return lines.n % 2 == 0; }
  std::int64_t length() const { return is_even() ? lines.n / 2 : lines.n; }
  void read(From const* from, GroupedLines const& group, Parts<T> x) const {
    auto const set = [&](std::int64_t j, std::int64_t b, T value) {
      if (!is_even()) set_number(x, j * group.count + b, Number<T>{value, T(0)});
      else (j % 2 == 0 ? x.re : x.im)[j / 2 * group.count + b] = value;
    };
    group.each_of(
        lines.n, [&](auto at, auto j, auto b) { set(j, b, from[at]); },
        [&](auto j, auto b) { set(j, b, T(0)); });
  }
  void write(Parts<T> x, GroupedLines const& group, To* to) const {
    T const scale = static_cast<T>(lines.scale);
    group.each(group.length, [&](std::int64_t at, std::int64_t k, std::int64_t b) {
      bool const is_known = k <= lines.n / 2;
      auto const number = is_known ? of_line(x, group.count, k, b) : Number<T>{T(0), T(0)};
      to[at] = {scale * number.re, scale * number.im};
    });
  }

 private:
  Number<T> of_line(Parts<T> x, std::int64_t count, std::int64_t k, std::int64_t b) const {
    if (!is_even()) return number_at(x, k * count + b, T());
    std::int64_t const m = lines.n / 2;
    auto const z = number_at(x, k % m * count + b, T());
    auto const mirrored = number_at(x, (m - k) % m * count + b, T());
    Number<T> const conjugate{mirrored.re, -mirrored.im};
    auto const odd = quarter_turn(T(0.5) * (z - conjugate));
    return T(0.5) * (z + conjugate) + product(odd, plan.root(k));
  }
};

/// The inverse of `RealLines`, times n.
template <class T>
struct HalfLines {
  using From = std::complex<T>;
  using To = T;
  Lines const& lines;
  Plan<T> const& plan;

  bool is_even() const { return lines.n % 2 == 0; }
  std::int64_t length() const { return is_even() ? lines.n / 2 : lines.n; }
  void read(From const* from, GroupedLines const& group, Parts<T> x) const {
    for (std::int64_t b = 0; b < group.count; ++b) {
      From const* const line = from + group.begin[static_cast<std::size_t>(b)];
      for (std::int64_t k = 0; k < length(); ++k) {
        auto const number = of_line(line, k);
        set_number(x, k * group.count + b, Number<T>{number.im, number.re});
      }
    }
  }
  void write(Parts<T> x, GroupedLines const& group, To* to) const {
    T const scale = static_cast<T>(lines.scale);
    group.each(group.length, [&](std::int64_t at, std::int64_t j, std::int64_t b) {
      if (j >= lines.n) to[at] = T(0);
      else if (!is_even()) to[at] = scale * x.im[j * group.count + b];
      else to[at] = scale * (j % 2 == 0 ? x.im : x.re)[j / 2 * group.count + b];
    });
  }

 private:
  Number<T> number(From const* line, std::int64_t k) const {
    if (k >= lines.read) return {T(0), T(0)};
    bool const is_real = k == 0 || 2 * k == lines.n;
    From const value = line[k * lines.inner];
    return {value.real(), is_real ? T(0) : value.imag()};
  }
  Number<T> conjugate(From const* line, std::int64_t k) const {
    auto const value = number(line, k);
    return {value.re, -value.im};
  }
  Number<T> of_line(From const* line, std::int64_t k) const {
    std::int64_t const n = lines.n;
    if (!is_even()) return k <= n / 2 ? number(line, k) : conjugate(line, n - k);
    auto const x = number(line, k), other = conjugate(line, n / 2 - k);
    auto const root = plan.root(k);
    auto const odd = product(x - other, Number<T>{root.re, -root.im});
    return x + other - quarter_turn(odd);
  }
};

/// The number of lines of a group: those of a register, but at most 256 kB in both arrays.
template <class T>
std::int64_t lines_of_group(std::int64_t length) {
  std::int64_t const fitting = (std::int64_t{1} << 16) / (length * std::int64_t{sizeof(T)});
  return std::clamp<std::int64_t>(fitting, 1, lane_count);
}

template <class T, class Kind>
void transform_lines(Kind const& kind, typename Kind::From const* from, typename Kind::To* to) {
  Lines const& lines = kind.lines;
  std::int64_t const number = lines.outer * lines.inner, length = kind.length();
  std::int64_t const group = lines_of_group<T>(length), size = length * group;
  auto const plan = plan_of<T>(length);
  parallel_for((number + group - 1) / group, [&](std::int64_t chunk) {
    Workspace<T> const memory(4 * size);
    Parts<T> const x{memory.data(), memory.data() + size};
    Parts<T> const work{x.im + size, x.im + 2 * size};
    std::int64_t const first = chunk * group, count = (std::min)(group, number - first);
    kind.read(from, {lines, first, count, lines.read}, x);
    kind.write(plan->run(x, work, count), {lines, first, count, lines.kept}, to);
  });
}

TENON_RUNTIME void transform(Lines const& lines, std::complex<float> const* from,
                             std::complex<float>* to) {
  transform_lines<float>(ComplexLines<float>{lines}, from, to);
}
TENON_RUNTIME void transform(Lines const& lines, std::complex<double> const* from,
                             std::complex<double>* to) {
  transform_lines<double>(ComplexLines<double>{lines}, from, to);
}
TENON_RUNTIME void transform(Lines const& lines, float const* from, std::complex<float>* to) {
  transform_lines<float>(RealLines<float>{lines, *plan_of<float>(lines.n)}, from, to);
}
TENON_RUNTIME void transform(Lines const& lines, double const* from, std::complex<double>* to) {
  transform_lines<double>(RealLines<double>{lines, *plan_of<double>(lines.n)}, from, to);
}
TENON_RUNTIME void transform(Lines const& lines, std::complex<float> const* from, float* to) {
  transform_lines<float>(HalfLines<float>{lines, *plan_of<float>(lines.n)}, from, to);
}
TENON_RUNTIME void transform(Lines const& lines, std::complex<double> const* from, double* to) {
  transform_lines<double>(HalfLines<double>{lines, *plan_of<double>(lines.n)}, from, to);
}

}  // namespace tenon::internal::fourier
