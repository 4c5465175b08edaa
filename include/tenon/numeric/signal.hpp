#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include <tenon/numeric/fft.hpp>

/// Frequencies, windows, and convolutions by transforms.
namespace tenon::internal::fft {

/// Some axes rolled by half their size.
template <Axes axes, bool back, TensorType E>
E shift(E x) {
  auto const along = [&]<int i>(std::integral_constant<int, i>) {
    std::int64_t const half = at(x.sizes(), i) / 2;
    if constexpr (Chosen<axes, E>::value[i]) x = eval(roll<Axes(i)>(x, back ? -half : half));
  };
  [&]<int... i>(std::integer_sequence<int, i...>) {
    (along(std::integral_constant<int, i>()), ...);
  }(std::make_integer_sequence<int, E::rank>());
  return x;
}

/// The frequency 0 moved to the middle of each axis, by default of all. NumPy, PyTorch:
/// `fft.fftshift`.
template <Axes axes = every, Expression X>
  requires HasAxes<axes, X>
auto fftshift(X&& x) {
  return shift<axes, false>(eval(std::forward<X>(x)));
}
template <Axes axes = every, Expression X,
          class R = ChoiceMistake<Named<"fftshift">, axes, TensorOf<X>>>
  requires(!HasAxes<axes, X>)
auto fftshift(X&& x) -> R;
template <Axes = every, class X, class R = Refused<Named<"fftshift">, X>>
auto fftshift(X const&) -> R;

/// The inverse of `fftshift`. NumPy, PyTorch: `fft.ifftshift`.
template <Axes axes = every, Expression X>
  requires HasAxes<axes, X>
auto ifftshift(X&& x) {
  return shift<axes, true>(eval(std::forward<X>(x)));
}
template <Axes axes = every, Expression X,
          class R = ChoiceMistake<Named<"ifftshift">, axes, TensorOf<X>>>
  requires(!HasAxes<axes, X>)
auto ifftshift(X&& x) -> R;
template <Axes = every, class X, class R = Refused<Named<"ifftshift">, X>>
auto ifftshift(X const&) -> R;

/// A tensor of one axis.
template <class R>
concept Line = TensorType<R> && R::shape.rank == 1 &&
               std::is_floating_point_v<typename R::value_type> && R::device::is_host;

/// The line of f(0), f(1), ...; throws `ShapeError` where the type has another size.
template <Line R, class F>
R line_of(std::string_view who, std::int64_t size, F const& f) {
  Sizes const sizes = first_sizes(size);
  check_sizes_of<ShapeOf<R::spec>>(who, R::spec.view(), sizes);
  R line = R::uninitialised(sizes);
  line.set_elements([&](typename R::value_type* to) {
    for (std::int64_t k = 0; k < size; ++k) to[k] = static_cast<typename R::value_type>(f(k));
  });
  return line;
}

/// The frequencies of a transform of n points at distance `spacing`, the negative ones behind:
/// `fftfreq<Float64<"frequency">>(n)`. Throws `ShapeError` where the type has another size. NumPy,
/// PyTorch: `fft.fftfreq`.
template <Line R>
R fftfreq(std::int64_t n, double spacing = 1) {
  return line_of<R>("fftfreq", n, [=](std::int64_t k) {
    return static_cast<double>(2 * k < n ? k : k - n) / (static_cast<double>(n) * spacing);
  });
}

/// The n / 2 + 1 frequencies of `rfft` of n points at distance `spacing`. Throws `ShapeError` where
/// the type has another size. NumPy, PyTorch: `fft.rfftfreq`.
template <Line R>
R rfftfreq(std::int64_t n, double spacing = 1) {
  return line_of<R>("rfftfreq", n / 2 + 1, [=](std::int64_t k) {
    return static_cast<double>(k) / (static_cast<double>(n) * spacing);
  });
}

/// The periodic window of n points that is the sum of a[i] cos(2 pi i k / n).
template <Line R>
R cosine_window(std::string_view who, std::int64_t n, std::array<double, 3> const& a) {
  return line_of<R>(who, n, [&](std::int64_t k) {
    double const angle = 6.28318530717958647693 * static_cast<double>(k) / static_cast<double>(n);
    return a[0] + a[1] * std::cos(angle) + a[2] * std::cos(2 * angle);
  });
}

/// Hann's window of n points, periodic: 1/2 - cos(2 pi k / n) / 2. PyTorch: `hann_window`.
template <Line R>
R hann(std::int64_t n) {
  return cosine_window<R>("hann", n, {0.5, -0.5, 0});
}

/// Hamming's window of n points, periodic: 0.54 - 0.46 cos(2 pi k / n). PyTorch: `hamming_window`.
template <Line R>
R hamming(std::int64_t n) {
  return cosine_window<R>("hamming", n, {0.54, -0.46, 0});
}

/// Blackman's window of n points, periodic: 0.42 - cos(2 pi k / n) / 2 + 0.08 cos(4 pi k / n).
/// PyTorch: `blackman_window`.
template <Line R>
R blackman(std::int64_t n) {
  return cosine_window<R>("blackman", n, {0.42, -0.5, 0.08});
}

struct ConvolveName : Transform<"convolve", RealToComplex, 1> {
  static constexpr std::string_view form = "fft::convolve<\"t\">(x, kernel)";
};

template <Axes axis, class E, class K>
struct Convolved {
  static constexpr int place = Chosen<axis, E>::value.axis();
  static constexpr Shape shape =
      with_axis(E::shape, place, plus(sum_of(E::shape[place], K::shape[0]), -1));
};

template <Axes axis, class E, class K>
constexpr auto convolve_type() {
  using result = decltype(fft_type<ConvolveName, axis, Resize::none, 0, E>());
  using T = typename E::value_type;
  if constexpr (IllFormed<typename result::type>) return result{};
  else if constexpr (!std::same_as<T, typename K::value_type>)
    return dtype_mistake<ConvolveName, E, K>();
  else if constexpr (K::shape.rank != 1) return axes_mistake<ConvolveName, every, 1, K>();
  else return std::type_identity<Tensor<T, spec_of<Convolved<axis, E, K>>, typename E::device>>{};
}
template <Axes axis, Expression X, Expression K>
using ConvolveOf =
    typename decltype(convolve_type<axis, StoredOperand<X>, StoredOperand<K>>())::type;

/// The smallest even length of at least n with the prime factors 2, 3 and 5.
inline std::int64_t quick_length(std::int64_t n) {
  for (std::int64_t length = n + n % 2;; length += 2) {
    std::int64_t rest = length;
    for (std::int64_t const prime : {2, 3, 5})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return length;
  }
}

/// The convolution with a kernel of one axis, y[t] = sum_s k[s] x[t - s], of all points where they
/// overlap, by Fourier transforms: "t=8" and "t=3" give "t=10". Real numbers. SciPy: `fftconvolve`.
template <Axes axis, Expression X, Expression K, WellFormed R = ConvolveOf<axis, X, K>>
auto convolve(X&& x, K&& kernel) -> R {
  constexpr int place = Chosen<axis, R>::value.axis();
  using T = typename R::value_type;
  auto const operand = eval(std::forward<X>(x));
  auto const cube = as_cube(operand, place), line = as_cube(eval(std::forward<K>(kernel)), 0);
  std::int64_t const all = cube.sizes()[1] + line.sizes()[1] - 1, n = quick_length(all);
  auto const half = to_halves(line, {n, 1});
  auto const factor = reshaped<Tensor<std::complex<T>, "1 _ 1">>(half, half.sizes());
  auto const product = eval(to_halves(cube, {n, 1}) * factor);
  Scaled const inverse{n, 1 / static_cast<double>(n)};
  return from_cube<R>(from_halves<T>(product, all, inverse), operand.sizes(), place);
}
template <Axes axis, Expression X, Expression K, IllFormed R = ConvolveOf<axis, X, K>>
auto convolve(X&& x, K&& kernel) -> R;
template <Axes, class... X, class R = Refused<ConvolveName, X...>>
auto convolve(X const&...) -> R;
template <class Name = ConvolveName, class R = AxisForm<Name>>
auto convolve(AnyExpression, AnyExpression) -> R;

}  // namespace tenon::internal::fft

namespace tenon::fft {

using internal::fft::blackman;
using internal::fft::convolve;
using internal::fft::fftfreq;
using internal::fft::fftshift;
using internal::fft::hamming;
using internal::fft::hann;
using internal::fft::ifftshift;
using internal::fft::rfftfreq;

}  // namespace tenon::fft
