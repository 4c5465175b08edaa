// The Poisson equation -Δu = f on a periodic square, solved by Fourier transforms, in which the
// Laplace operator is a factor for each frequency. The error against the exact solution falls
// faster than any power of the distance of points. The gradient passes through the solver: as the
// operator is symmetric, the adjoint of the source is the solution for the adjoint.
// test-long

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <utility>

#include <tenon/fft.hpp>

using namespace tenon;

using Field = Float64<"x y">;  // values at n × n points of the unit square
using Line = Float64<"k">;

constexpr double whole = 2 * std::numbers::pi;

/// The eigenvalues of -Δ, 4 pi² (kx² + ky²), at the frequencies of `rfftn`.
Float64<"x y"> eigenvalues(std::int64_t n) {
  auto const along_x = fft::fftfreq<Line>(n, 1 / double(n));
  auto const along_y = fft::rfftfreq<Line>(n, 1 / double(n));
  return whole * whole *
         (square(rename<"k -> x">(unsqueeze<-1>(along_x))) + square(rename<"k -> y">(along_y)));
}

/// The solution with mean 0.
Field solve_poisson(Field const& f) {
  std::int64_t const n = size<"x">(f);
  auto const values = eigenvalues(n);
  auto const inverse = where(values > 0, 1 / maximum(values, 1), 0);  // the first is 0, then 39
  auto const spectrum = as<"x y">(eval(fft::rfftn(f)));
  return fft::irfftn(spectrum * to<std::complex<double>>(inverse), n);
}

/// u = exp(sin 2 pi x + cos 2 pi y) without its mean, and f = -Δu.
std::pair<Field, Field> make_problem(std::int64_t n) {
  auto const at = eval(iota<Line>(n) * (whole / double(n)));
  auto const x = rename<"k -> x">(unsqueeze<-1>(at));
  auto const y = rename<"k -> y">(at);
  Field const wave = exp(sin(x) + cos(y));
  Field const laplacian = wave * (square(cos(x)) - sin(x) + square(sin(y)) - cos(y));
  return {wave - mean(wave), -whole * whole * laplacian};
}

double solution_error(std::int64_t n) {
  auto const [u, f] = make_problem(n);
  return max(abs(solve_poisson(f) - u)).item();
}

double gradient_error(std::int64_t n) {
  auto const [u, f] = make_problem(n);
  auto const adjoint = normal<Field>(Key{1}, n, n);
  auto const loss = [&](Field const& at) { return sum(adjoint * solve_poisson(at)); };
  return max(abs(grad(loss)(f) - solve_poisson(adjoint))).item();
}

int main() {
  for (int const n : {8, 16, 32})
    std::printf("%2d x %2d points: error %.1e\n", n, n, solution_error(n));
  std::printf("error of the gradient %.1e\n", gradient_error(32));
  return solution_error(32) < 1e-12 && gradient_error(32) < 1e-12 ? 0 : 1;
}
