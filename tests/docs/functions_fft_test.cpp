// Examples of docs/functions/: complex numbers and Fourier transforms.

#include <doctest/doctest.h>

#include <complex>

#include <tenon/fft.hpp>
#include <tenon/nn/initialisers.hpp>

namespace functions_fft_test {

using namespace tenon;

Float64<"time=4"> const x{1, 2, 3, 4};
Complex128<"n=2"> const z{{3, 4}, {0, -2}};

TEST_CASE("complex numbers and their parts") {
  CHECK(to_string(real(z)) == "[3. 0.]");
  CHECK(to_string(imag(z)) == "[ 4. -2.]");
  CHECK(to_string(conj(z)) == "[3.-4.j 0.+2.j]");
  CHECK(to_string(abs(z)) == "[5. 2.]");
  CHECK(angle(z)(1) == doctest::Approx(-1.570796327));
  CHECK(to_string(complex(real(z), -imag(z))) == "[3.-4.j 0.+2.j]");
  CHECK(to_string(abs(polar(abs(z), angle(z)) - z) < 1e-12) == "[ True  True]");

  auto const noise = normal<Complex64<"n=3">>(Key{1});
  CHECK(size<"n">(noise) == 3);
}

TEST_CASE("complex numbers as pairs, and layers") {
  CHECK(to_string(view_as_real(z)) == "[[ 3.  4.]\n [ 0. -2.]]");
  CHECK(to_string(view_as_complex(view_as_real(z))) == "[3.+4.j 0.-2.j]");
  CHECK(abs(mod_relu(z, -1))(0) == doctest::Approx(4));

  auto const linear = init::kaiming_normal<ComplexLinear<"n=2", "hidden=3", double>>(Key{1});
  ModReLU<"hidden=3", double> const activation;
  CHECK(shape_of<decltype(activation(linear(z)))> == "hidden=3");
}

TEST_CASE("the gradient by complex numbers, of docs/gradients.md") {
  auto const energy = [](auto const& at) { return sum(square(abs(at))); };
  CHECK(to_string(grad(energy)(z)) == "[6.-8.j 0.+4.j]");
}

TEST_CASE("transforms") {
  CHECK(to_string(fft::fft<"time">(x)) == "[10.+0.j -2.+2.j -2.+0.j -2.-2.j]");
  CHECK(to_string(fft::ifft<"time">(fft::fft<"time">(x))) == "[1.+0.j 2.+0.j 3.+0.j 4.+0.j]");
  CHECK(to_string(fft::rfft<"time">(x)) == "[10.+0.j -2.+2.j -2.+0.j]");
  CHECK(to_string(fft::irfft<"time">(fft::rfft<"time">(x))) == "[1. 2. 3. 4.]");

  Float64<"height=2 width=2"> const image{{1, 2}, {3, 4}};
  CHECK(to_string(fft::fft2<"height width">(image)) == "[[10.+0.j -2.+0.j]\n [-4.+0.j  0.+0.j]]");
  CHECK(to_string(real(fft::ifft2<"height width">(fft::fft2<"height width">(image)))) ==
        "[[1. 2.]\n [3. 4.]]");
  CHECK(to_string(real(fft::fftn(image))) == "[[10. -2.]\n [-4.  0.]]");
  CHECK(to_string(real(fft::ifftn(fft::fftn(image)))) == "[[1. 2.]\n [3. 4.]]");
  CHECK(fft::fft<"time">(x, fft::Norm::ortho)(0) == 5.0);
  CHECK(to_string(fft::irfftn(fft::rfftn(image))) == "[[1. 2.]\n [3. 4.]]");
  CHECK(to_string(fft::ihfft<"time">(x)) == "[ 2.5-0.j  -0.5-0.5j -0.5-0.j ]");
  CHECK(to_string(fft::hfft<"time">(fft::ihfft<"time">(x))) == "[1. 2. 3. 4.]");
}

TEST_CASE("frequencies, windows and convolutions") {
  CHECK(to_string(fft::fftfreq<Float64<"k=4">>(4)) == "[ 0.    0.25 -0.5  -0.25]");
  CHECK(to_string(fft::rfftfreq<Float64<"k=3">>(4)) == "[0.   0.25 0.5 ]");
  CHECK(to_string(fft::fftshift(x)) == "[3. 4. 1. 2.]");
  CHECK(to_string(fft::ifftshift(fft::fftshift(x))) == "[1. 2. 3. 4.]");
  CHECK(to_string(fft::hann<Float64<"t=4">>(4)) == "[0.  0.5 1.  0.5]");
  CHECK(fft::hamming<Float64<"t=4">>(4)(0) == doctest::Approx(0.08));
  CHECK(fft::blackman<Float64<"t=4">>(4)(2) == doctest::Approx(1));
  auto const window_of_4 = fft::hann<Float64<"t=4">>(4);
  auto const spectrum = fft::stft<"time", 2>(x, window_of_4);  // "frequency=3 time=3"
  CHECK(abs(spectrum(0, 1)) == doctest::Approx(6));
  CHECK(fft::istft<"time", 2>(spectrum, window_of_4)(3) == doctest::Approx(4));
  constexpr fft::StftOptions left{.center = false, .padding = fft::Padding::zeros};
  CHECK(fft::stft<"time", 2, left>(x, window_of_4).size() == 3);
  auto const frames = fft::rfft<-1>(window<"time", 2>(x) * fft::hann<Float64<"window=2">>(2));
  CHECK(shape_of<decltype(frames)> == "time=3 window=2");               // without reflected ends
  auto const sums = fft::convolve<"time">(x, Float64<"time=2">{1, 1});  // "time=5"
  CHECK(sums(1) == doctest::Approx(3));
}

}  // namespace functions_fft_test
