// The tables of docs/from_numpy_scipy.md: each of their lines of code is a line here, with its
// value.

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <ios>
#include <sstream>
#include <string>
#include <vector>

#include <tenon/complex.hpp>
#include <tenon/distributions.hpp>
#include <tenon/elementwise.hpp>
#include <tenon/fft.hpp>
#include <tenon/integrate.hpp>
#include <tenon/interp.hpp>
#include <tenon/linalg.hpp>
#include <tenon/optim.hpp>
#include <tenon/statistics.hpp>
#include <tenon/transformations.hpp>

#include "prints.hpp"

namespace numpy_lines_test {

using namespace tenon;

namespace {

using Vector = Float64<"n">;

Vector const v{3, 1, 2}, p{0.25, 0.5, 0.125};
Float64<"n n"> const a{{4, 1, 0}, {1, 3, 1}, {0, 1, 2}};
Float64<"row n"> const m{{1, 2, 3}, {4, 5, 6}};
Complex128<"n"> const z{{3, 4}, {0, 2}, {1, 0}};
Float64<"row"> const r{1, 2};
Int32<"k"> const i{2, 0};
distributions::Normal const normal{Float64<"">(0), Float64<"">(2)};

// dy/dt = -y.
auto const decay = [](Float64<""> const& y, double) { return -y; };

/// A printed value: its numbers, and the text around them.
struct Printed {
  std::vector<double> numbers{};
  std::string text{};
};
Printed read(std::string const& line) {
  Printed printed;
  for (char const* at = line.c_str(); *at != 0;) {
    char* after = nullptr;
    double const number = *at == ' ' ? 0 : std::strtod(at, &after);
    if (after == nullptr || after == at) printed.text += *at++;
    else printed.numbers.push_back(number), printed.text += '0', at = after;
  }
  return printed;
}
void compare(std::string const& expected, std::string const& line) {
  CAPTURE(expected);
  CAPTURE(line);
  auto const found = read(line), wanted = read(expected);
  CHECK(found.text == wanted.text);
  REQUIRE(found.numbers.size() == wanted.numbers.size());
  for (std::size_t k = 0; k < found.numbers.size(); ++k)
    CHECK(std::abs(found.numbers[k] - wanted.numbers[k]) <=
          1e-6 * (1 + std::abs(wanted.numbers[k])));
}

/// That a value prints as a line of the page, up to the last digits.
template <class X>
void prints(std::string const& expected, X const& x) {
  std::ostringstream out;
  out << std::boolalpha << x;
  compare(expected, one_line(out.str()));
}

}  // namespace

TEST_CASE("lines of NumPy and SciPy: arrays") {
  prints("[[1. 2.] [3. 4.]]", Float64<"row column">{{1, 2}, {3, 4}});
  prints("[[0. 0.] [0. 0.]]", zeros<Float64<"row column">>(2, 2));
  prints("[7. 7. 7.]", full<Float64<"n">>(7, 3));
  prints("[0. 1. 2.]", iota<Float64<"n">>(3));
  prints("[0. 0.25 0.5 0.75 1.]", linspace<Float64<"n">>(0, 1, 5));
  prints("[[1. 0.] [0. 1.]]", eye<Float64<"row column">>(2, 2));
  prints("[1. 1. 1.]", ones_like(v));
  prints("6", m.size());
  prints("[[1. 4.] [2. 5.] [3. 6.]]", transpose(m));
  prints("[[1. 2.] [3. 4.] [5. 6.]]", reshape<"3 2">(m));
  prints("[1. 2. 3. 4. 5. 6.]", flatten(m));
  prints("[[2.75 2.5 2.875] [0.75 0.5 0.875] [1.75 1.5 1.875]]",
         rearrange<"n -> n 1">(v) - rename<"n -> k">(p));
  prints("[3. 1. 2. 0.25 0.5 0.125]", concat<"n">(v, p));
  prints("[[3. 1. 2.] [0.25 0.5 0.125]]", stack<"row">(v, p));
  prints("[3. 3. 1. 1. 2. 2.]", repeat<"n -> (n k=2)">(v));
  prints("[2. 1. 3.]", flip(v));
  prints("[2. 3. 1.]", roll<"n">(v, 1));
  prints("[0. 3. 1. 2. 0.]", pad<"n", 1, 1>(v));
}

TEST_CASE("lines of NumPy and SciPy: elements") {
  prints("[1. 2.]", slice<"n", 1, to_end>(v));
  prints("[[1. 3.] [4. 6.]]", slice<"n", 0, to_end, 2>(m));
  prints("[4. 5. 6.]", m[1]);
  prints("[2. 3.]", take<"n">(v, i));
  prints("[3. 0.5 2.]", where(v > 1, v, p));
  prints("[1. 2. 3.]", sort<"n">(v));
  prints("[1 2 0]", argsort<"n">(v));
  prints("1", argmin<"n">(v));
  prints("2", count_nonzero(v > 1));
  prints("True", any(v > 2));
  prints("true", allclose(v, v + 1e-9));
  prints("[[4. 0. 0.] [1. 3. 0.] [0. 1. 2.]]", tril(a));
}

TEST_CASE("lines of NumPy and SciPy: functions") {
  prints("[0.04978707 0.36787944 0.13533528]", exp(-v));
  prints("[0.47712125 0. 0.30103]", log10(v));
  prints("[0.22314355 0.40546511 0.11778304]", log1p(p));
  prints("[8. 2. 4.]", exp2(v));
  prints("[1.44224957 1. 1.25992105]", cbrt(v));
  prints("[3.01039864 1.11803399 2.00390244]", hypot(v, p));
  prints("[1.48765509 1.10714872 1.50837752]", atan2(v, p));
  prints("[1.81844646 0.88137359 1.44363548]", asinh(v));
  prints("[0.90031632 0.63661977 0.97449536]", sinc(p));
  prints("[2.5 1.5 2.]", clamp(v, 1.5, 2.5));
  prints("[2. 0. 1.]", round(v / 2));
  prints("[1. 0. 1.]", floor(v / 2));
  prints("[1 0]", remainder(-i, 3));
  prints("[0.05235988 0.01745329 0.03490659]", deg2rad(v));
  prints("[1. 0. 0.5]", heaviside(v - 2, 0.5));
  prints("[3.06196759 1.47407698 2.14267506]", logaddexp(v, p));
  prints("[0.27632639 0.52049988 0.1403162]", erf(p));
  prints("[2.20904970e-05 1.57299207e-01 4.67773498e-03]", erfc(v));
  prints("[0.95257413 0.73105858 0.88079708]", sigmoid(v));
  prints("[-4.15888308 -0.69314718 -4.15888308]", xlogy(v, p));
  prints("[0.66524096 0.09003057 0.24472847]", softmax<"n">(v));
  prints("3.40760596", logsumexp<"n">(v));
}

TEST_CASE("lines of NumPy and SciPy: sums and statistics") {
  prints("[5. 7. 9.]", sum<"row">(m));
  prints("6.0", prod(v));
  prints("[3. 4. 6.]", cumsum<"n">(v));
  prints("[-2. 1.]", diff<"n">(v));
  prints("[2. 5.]", mean<"n">(m));
  prints("[0.81649658 0.81649658]", stddev<"n">(m));
  prints("2.0", ptp(v));
  prints("[2. 5.]", median<"n">(m));
  prints("[1.5 4.5]", quantile<"n">(m, 0.25));
  prints("[1.83333333 4.83333333]", average<"n">(m, v));
  prints("0.0", nanmax(log(v - 2)));
  prints("[[1. 1.] [1. 1.]]", cov<"n">(m));
  prints("[[1. -0.2773501 -0.96076892] [-0.2773501 1. 0.] [-0.96076892 0. 1.]]", corrcoef<1>(a));
  prints("1.75", trapezoid<"n">(v, 0.5));
  prints("[-2.73708571 -1.73708571 -2.11208571]", normal.log_prob(v));
  prints("2.11208571", normal.entropy());
  prints("[1.41709966 0.60653066 1.55760157]", exp(distributions::Exponential{v}.log_prob(p)));
  prints("[0.125 0.5 0.03125]", distributions::Laplace{v, p}.variance());
}

TEST_CASE("lines of NumPy and SciPy: linear algebra") {
  prints("[13. 8. 5.]", matmul(a, v));
  prints("1.5", dot(v, p));
  prints("[[0.75 1.5 0.375] [0.25 0.5 0.125] [0.5 1. 0.25]]", outer(v, p));
  prints("[1. 2. 3. 2. 4. 6. 3. 6. 9.]", linalg::kron(m, m)[0]);
  prints("[11. 29.]", einsum<"i j, j -> i">(m, v));
  prints("9.0", trace(a));
  prints("[4. 3. 2.]", diagonal(a));
  prints("18.0", linalg::det(a));
  prints("2.89037176", linalg::slogdet(a).logabsdet);
  prints("[0.27777778 -0.11111111 0.05555556]", linalg::inverse(a)[0]);
  prints("[0.83333333 -0.33333333 1.16666667]", linalg::solve(a, v));
  prints("[[2. 0. 0.] [0.5 1.6583124 0.] [0. 0.60302269 1.2792043]]", linalg::cholesky(a));
  prints("[0.75 0. 1.]", linalg::solve_triangular(a, v));
  prints("[0.83333333 -0.33333333 1.16666667]", linalg::cho_solve(linalg::cholesky(a), v));
  prints("[[4.12310563 1.69774938 0.24253563] [0. 2.84914848 1.61038827] [0. 0. 1.53226176]]",
         abs(linalg::qr(a).r));
  prints("[9.508032 0.77286964]", linalg::svd(m).s);
  prints("[1.26794919 3. 4.73205081]", linalg::eigh(a).values);
  prints("[[4. 1. 0.] [0. 2.75 1.] [0. 0. 1.63636364]]", linalg::lu(a).u);
  prints("[-0.05555556 0.11111111 0.27777778]", linalg::lstsq(m, r));
  prints("[[-0.94444444 0.44444444] [-0.11111111 0.11111111] [0.72222222 -0.22222222]]",
         linalg::pinv(m));
  prints("3.74165739", norm(v));
  prints("5.0", linalg::matrix_norm(a, 1));
  prints("3.73205081", linalg::cond(a));
  prints("3", linalg::matrix_rank(a));
  prints("[[75. 39. 9.] [39. 45. 21.] [9. 21. 15.]]", linalg::matrix_power(a, 3));
  prints("[2.79733768 0.61314124 0.06719642]", linalg::expm(a / 4)[0]);
  prints("[[3. 1. 2.] [1. 3. 1.] [2. 1. 3.]]", linalg::toeplitz(v));
}

TEST_CASE("lines of NumPy and SciPy: complex numbers, transforms, signals") {
  prints("[3. 0. 1.]", real(z));
  prints("[5. 2. 1.]", abs(z));
  prints("[0.92729522 1.57079633 0.]", angle(z));
  prints("[3.-4.j 0.-2.j 1.-0.j]", conj(z));
  prints("[6. 1.73205081 1.73205081]", abs(fft::fft<"n">(v)));
  prints("[3. 1. 2.]", fft::irfft<"n">(fft::rfft<"n">(v), 3));
  prints("[0. 0.25 -0.5 -0.25]", fft::fftfreq<Float64<"n">>(4));
  prints("[0. 0.5 1. 0.5]", fft::hann<Float64<"n">>(4));
  prints("[1.5]", convolve<"n">(v, p));
}

TEST_CASE("lines of NumPy and SciPy: interpolation, integration, equations, minima") {
  prints("[2.5 2. 2.75]", interp(p, Float64<"n">{0, 1, 3}, v));
  prints("[2.34375 1.79166667 2.65885417]", cubic_spline(Float64<"n">{0, 1, 3}, v)(p));
  prints("[-2.41666667 -2. -2.625]", cubic_spline(Float64<"n">{0, 1, 3}, v)(p, 1));
  prints("9.0", quad([](auto const& x) { return x * x; }, 0, 3));
  prints("0.135335283",
         odeint({.rtol = 1e-10, .atol = 1e-12}, decay, Float64<"">(1), Float64<"time">{0, 2})[1]);
  prints("[1.73205081 1. 1.41421356]",
         root([](Vector const& x) -> Vector { return x * x - v; }, v));
  prints("[2. 2. 2.]", minimize([](Vector const& x) { return sum(square(x - 2)); }, v).x);
}

}  // namespace numpy_lines_test
