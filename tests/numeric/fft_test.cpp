// Fourier transforms against values of NumPy and gradients of JAX, see golden/make_fft.py.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <string>

#include <tenon/fft.hpp>

#include "../nn/cases.hpp"

namespace fft_test {

using namespace tenon;
using fft::Norm;

namespace {

using C = std::complex<double>;
using Complexes = Complex128<"a time c">;
using Reals = Float64<"a time c">;
using Frames = Complex128<"a frequency time c">;
using Window = Float64<"w">;

Reals real_tensor(cases::Case const& golden, std::string const& key) {
  return golden.tensor<Reals>(key);
}
Complexes complex_tensor(cases::Case const& golden, std::string const& key) {
  auto const parts = golden.tensor<Float64<"a time c part">>(key);
  return complex(take<"part">(parts, 0), take<"part">(parts, 1));
}
template <class R>
R tensor(cases::Case const& golden, std::string const& key) {
  if constexpr (std::is_same_v<R, Reals>) return real_tensor(golden, key);
  else if constexpr (std::is_same_v<R, Frames>)
    return view_as_complex(golden.tensor<Float64<"a frequency time c part">>(key));
  else return complex_tensor(golden, key);
}

/// The weights of make_fft.py.
template <class R>
auto weights(R const& like) {
  auto w = zeros_like(Tensor<C, R::spec>(to<C>(like)));
  w.set_elements([&](C* to) {
    for (std::int64_t k = 0; k < w.size(); ++k) to[k] = C(double(k + 1), -1 / double(k + 1));
  });
  return w;
}

template <class A, class B>
double difference(A const& a, B const& b) {
  return max(abs(a - b)).item() / (1 + max(abs(b)).item());
}

template <class Y, class X>
using Transform = Y (*)(X const&);

template <class Y, class X>
void compare(cases::Case const& golden, Transform<Y, X> f) {
  auto const x = tensor<X>(golden, "x");
  auto const expected = tensor<Y>(golden, "value");
  auto const w = weights(expected);
  CHECK(difference(f(x), expected) < 1e-15);
  auto const loss = [&](X const& at) { return real(sum(w * to<C>(f(at)))); };
  CHECK(difference(grad(loss)(x), tensor<X>(golden, "grad x")) < 1e-15);
}

template <class Y, class X, class F>
void compare_frames(cases::Case const& golden, F const& f) {
  auto const x = tensor<X>(golden, "x");
  auto const window = golden.tensor<Window>("window");
  auto const expected = tensor<Y>(golden, "value");
  auto const w = weights(expected);
  CHECK(difference(f(x, window), expected) < 1e-15);
  auto const by_x = grad([&](X const& at) { return real(sum(w * to<C>(f(at, window)))); });
  auto const by_window = grad([&](Window const& at) { return real(sum(w * to<C>(f(x, at)))); });
  CHECK(difference(by_x(x), tensor<X>(golden, "grad x")) < 1e-15);
  CHECK(difference(by_window(window), golden.tensor<Window>("grad window")) < 1e-14);
}

std::map<std::string, Transform<Complexes, Complexes>> const of_complex{
    {"fft", [](Complexes const& x) { return fft::fft<"time">(x); }},
    {"fft_ortho", [](Complexes const& x) { return fft::fft<"time">(x, Norm::ortho); }},
    {"fft_forward", [](Complexes const& x) { return fft::fft<"time">(x, Norm::forward); }},
    {"ifft", [](Complexes const& x) { return fft::ifft<"time">(x); }},
    {"ifft_forward", [](Complexes const& x) { return fft::ifft<1>(x, Norm::forward); }},
    {"fft2", [](Complexes const& x) { return fft::fft2<"a time">(x); }},
    {"fftn", [](Complexes const& x) { return fft::fftn(x); }},
    {"ifftn", [](Complexes const& x) { return fft::ifftn(x); }},
};
std::map<std::string, Transform<Complexes, Reals>> const to_halves{
    {"rfft_even", [](Reals const& x) { return as<"a time c">(fft::rfft<"time">(x)); }},
    {"rfft_odd", [](Reals const& x) { return as<"a time c">(fft::rfft<1>(x, Norm::ortho)); }},
    {"rfftn", [](Reals const& x) { return as<"a time c">(fft::rfftn(x)); }},
    {"rfftn_axes",
     [](Reals const& x) { return as<"a time c">(fft::rfftn<"a time">(x, Norm::ortho)); }},
    {"ihfft", [](Reals const& x) { return as<"a time c">(fft::ihfft<"time">(x)); }},
};
std::map<std::string, Transform<Reals, Complexes>> const from_halves{
    {"irfft_even", [](Complexes const& x) { return as<"a time c">(fft::irfft<"time">(x)); }},
    {"irfft_odd", [](Complexes const& x) { return as<"a time c">(fft::irfft<"time", 11>(x)); }},
    {"irfft_shorter", [](Complexes const& x) { return as<"a time c">(fft::irfft<"time">(x, 7)); }},
    {"irfft_longer", [](Complexes const& x) { return as<"a time c">(fft::irfft<"time">(x, 10)); }},
    {"irfftn", [](Complexes const& x) { return as<"a time c">(fft::irfftn(x)); }},
    {"irfftn_odd",
     [](Complexes const& x) { return as<"a time c">(fft::irfftn<"a time">(x, 5, Norm::forward)); }},
    {"hfft", [](Complexes const& x) { return as<"a time c">(fft::hfft<"time">(x)); }},
    {"hfft_odd",
     [](Complexes const& x) { return as<"a time c">(fft::hfft<"time">(x, 7, Norm::forward)); }},
};

/// The transform by its definition, of one line.
Complex128<"k"> definition(Complex128<"k"> const& x) {
  std::int64_t const n = x.size();
  auto y = zeros<Complex128<"k">>(n);
  y.set_elements([&](C* to) {
    for (std::int64_t k = 0; k < n; ++k)
      for (std::int64_t j = 0; j < n; ++j)
        to[k] += x(j) * std::polar(1.0, -2 * std::acos(-1.0) * double(j * k % n) / double(n));
  });
  return y;
}

}  // namespace

TEST_CASE("transforms and their gradients are those of NumPy and JAX") {
  for (auto const& golden : cases::read("../../numeric/golden/fft.txt")) {
    INFO(golden.name);
    if (golden.name.find("stft") != std::string::npos) continue;
    if (to_halves.contains(golden.name)) compare(golden, to_halves.at(golden.name));
    else if (from_halves.contains(golden.name)) compare(golden, from_halves.at(golden.name));
    else compare(golden, of_complex.at(golden.name));
  }
}

TEST_CASE("transforms of frames and their gradients are those of the definition and JAX") {
  using fft::StftOptions;
  constexpr StftOptions odd{.padding = fft::Padding::zeros, .normalized = true};
  constexpr StftOptions left{.center = false};
  constexpr StftOptions left_normalized{.center = false, .normalized = true};
  auto const as_frames = [](auto const& y) { return as<"a frequency time c">(y); };
  for (auto const& golden : cases::read("../../numeric/golden/fft.txt")) {
    INFO(golden.name);
    std::string const& name = golden.name;
    auto const stft = [&](Reals const& x, Window const& w) -> Frames {
      if (name == "stft_odd") return as_frames(fft::stft<"time", 4, odd>(x, w));
      if (name == "stft_left") return as_frames(fft::stft<"time", 2, left>(x, w));
      return as_frames(fft::stft<"time", 3>(x, w));
    };
    auto const of_complex_signal = [&](Complexes const& x, Window const& w) -> Frames {
      return as_frames(fft::stft<"time", 2>(x, w));
    };
    auto const istft = [&](Frames const& x, Window const& w) -> Reals {
      if (name == "istft") return as<"a time c">(fft::istft<"time", 3>(x, w));
      return as<"a time c">(fft::istft<"time", 2, left_normalized>(x, w));
    };
    if (name == "stft_complex") compare_frames<Frames, Complexes>(golden, of_complex_signal);
    else if (name.starts_with("stft")) compare_frames<Frames, Reals>(golden, stft);
    else if (name.starts_with("istft")) compare_frames<Reals, Frames>(golden, istft);
  }
}

TEST_CASE("a signal comes back from the transforms of its frames") {
  auto const x = normal<Float64<"batch time=50">>(Key{9}, 2);
  auto const window = fft::hann<Float64<"w=16">>(16);
  auto const z = fft::stft<"time", 4>(x, window);
  CHECK(shape_of<decltype(z)> == "batch frequency=9 time=13");
  CHECK(shape_of<decltype(fft::istft<"time", 4>(z, window))> == "batch time=48");
  CHECK(difference(fft::istft<"time", 4>(z, window, 50), x) < 1e-15);
  CHECK(fft::istft<"time", 4>(z, window, 70)(1, 69) == 0);
  CHECK(shape_of<decltype(fft::stft<"time", 4>(as<"batch time">(x), window))> ==
        "batch frequency=9 time=time//4+1");
  CHECK(shape_of<decltype(fft::stft<"time", 4>(x, as<"w">(window)))> == "batch frequency time=_");
  CHECK_THROWS_WITH(
      (fft::istft<"time", 16, fft::StftOptions{.center = false}>(z, window)),
      "tenon::istft: 'window': expected a sum of squares above 1e-11 at each element, "
      "got 0.000000 (element 0)");
  CHECK_THROWS_WITH((fft::istft<"time", 4>(z, as<"w">(fft::hann<Float64<"w=8">>(8)))),
                    "tenon::istft: 'frequency': expected 5, got 9 (a window of 8)");
  CHECK_THROWS_WITH((fft::stft<"time", 4>(slice<"time", 0, 8>(x), window)),
                    "tenon::stft: 'signal': expected at least 9 elements, got 8");
}

TEST_CASE("lengths of any factors: small ones, all at once, large primes") {
  for (std::int64_t const n :
       {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 31, 37, 60, 74, 101, 128, 210, 1024}) {
    INFO(n);
    auto const x = normal<Complex128<"k">>(Key{3}, n);
    auto const y = fft::fft<"k">(x);
    CHECK(difference(y, definition(x)) < 2e-14);
    CHECK(difference(fft::ifft<"k">(y), x) < 2e-15);
  }
}

TEST_CASE("the names of axes stay, sizes follow") {
  Float32<"batch time=8"> const x = ones<Float32<"batch time=8">>(2);
  Float32<"batch time"> const y = as<"batch time">(x);
  CHECK(shape_of<decltype(fft::fft<"time">(x))> == "batch time=8");
  CHECK(shape_of<decltype(fft::rfft<"time">(x))> == "batch time=5");
  CHECK(shape_of<decltype(fft::rfft<"time">(y))> == "batch time=time//2+1");
  CHECK(shape_of<decltype(fft::irfft<"time">(fft::rfft<"time">(x)))> == "batch time=8");
  CHECK(shape_of<decltype(fft::irfft<"time">(fft::rfft<"time">(y), 8))> == "batch time=_");
  CHECK(difference(fft::irfft<"time">(fft::rfft<"time">(x)), x) < 1e-6);
  CHECK(fft::fft<"time">(zeros<Float32<"time">>(0)).size() == 0);
  CHECK(shape_of<decltype(fft::rfftn<"batch time">(x))> == "batch time=5");
  CHECK(shape_of<decltype(fft::irfftn<"time">(fft::rfftn<"time">(x)))> == "batch time=8");
  CHECK(shape_of<decltype(fft::hfft<"time">(fft::ihfft<"time">(x)))> == "batch time=8");
  CHECK_THROWS_WITH(fft::hfft<"time">(fft::ihfft<"time">(y), 0),
                    "tenon::hfft: 'length': expected at least 1, got 0");
  CHECK_THROWS_WITH(fft::irfft<"time">(fft::rfft<"time">(y), 0),
                    "tenon::irfft: 'length': expected at least 1, got 0");
}

TEST_CASE("a line has the same bits alone and for every number of threads") {
  auto const x = normal<Complex64<"line=40 k=96">>(Key{5});
  auto const all = fft::fft<"k">(x);
  int const before = threads();
  set_threads(1);
  CHECK(max(abs(fft::fft<"k">(x) - all)).item() == 0);
  set_threads(before);
}

TEST_CASE("frequencies and shifts are those of NumPy") {
  CHECK(to_string(fft::fftfreq<Float64<"k">>(5, 0.5)) == "[ 0.   0.4  0.8 -0.8 -0.4]");
  CHECK(to_string(fft::fftfreq<Float64<"k=4">>(4)) == "[ 0.    0.25 -0.5  -0.25]");
  CHECK(to_string(fft::rfftfreq<Float64<"k">>(5)) == "[0.  0.2 0.4]");
  CHECK_THROWS_AS((fft::fftfreq<Float64<"k=4">>(5)), ShapeError);
  Float64<"a=2 k=5"> const x{{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}};
  CHECK(to_string(fft::fftshift<"k">(x)) == "[[3. 4. 0. 1. 2.]\n [8. 9. 5. 6. 7.]]");
  CHECK(to_string(fft::fftshift(x)) == "[[8. 9. 5. 6. 7.]\n [3. 4. 0. 1. 2.]]");
  CHECK(difference(fft::ifftshift(fft::fftshift(x)), x) == 0);
}

TEST_CASE("windows are those of PyTorch, periodic") {
  CHECK(to_string(fft::hann<Float64<"t=4">>(4)) == "[0.  0.5 1.  0.5]");
  CHECK(fft::hamming<Float32<"t">>(5)(1) == doctest::Approx(0.397852182));
  CHECK(fft::blackman<Float64<"t">>(5)(2) == doctest::Approx(0.849229693));
}

TEST_CASE("a convolution has all overlaps, and a gradient for both operands") {
  Float64<"row=2 t=4"> const x{{1, 2, 3, 4}, {0, 0, 1, -1}};
  Float64<"t=3"> const kernel{1, -1, 0.5};
  Float64<"row=2 t=6"> const y = fft::convolve<"t">(x, kernel);
  Float64<"row=2 t=6"> const expected{{1, 1, 1.5, 2, -2.5, 2}, {0, 0, 1, -2, 1.5, -0.5}};
  CHECK(difference(y, expected) < 1e-15);
  auto const squares = [](auto const& a, auto const& k) {
    return sum(square(fft::convolve<"t">(a, k)));
  };
  auto const by_x = grad([&](auto const& at) { return squares(at, kernel); });
  auto const by_kernel = grad([&](auto const& at) { return squares(x, at); });
  CHECK(by_x(x)(0, 1) == doctest::Approx(2 * (1 - 1.5 + 0.5 * 2)));
  CHECK(by_kernel(kernel)(0) == doctest::Approx(2 * (1 + 2 + 4.5 + 8 + 1 + 2)));
  CHECK(shape_of<decltype(fft::convolve<"t">(as<"row t=n">(x), as<"t=m">(kernel)))> ==
        "row t=m+n-1");
}

}  // namespace fft_test
