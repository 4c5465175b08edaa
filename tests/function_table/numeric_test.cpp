// Linear algebra, products, Fourier transforms, complex numbers.

#include <doctest/doctest.h>

#include "rows.hpp"

#include <tenon/complex.hpp>
#include <tenon/fft.hpp>
#include <tenon/interp.hpp>
#include <tenon/linalg.hpp>

namespace numeric_test {

using namespace tenon;

TEST_CASE("the table has what linear algebra accepts") {
  function_table::Table table("linalg");
  table.add<"i=3 i=3">(
      CALL(linalg::cholesky(x + 2 * eye<Tensor<T, S, D>>())), CALL(linalg::qr(x)),
      CALL(linalg::svd(x)), CALL(linalg::det(x)), CALL(linalg::slogdet(x)), CALL(linalg::eigh(x)),
      CALL(linalg::lu(x)), CALL(linalg::inverse(x)), CALL(linalg::solve(x, x)),
      CALL(linalg::solve_triangular(x, x)), CALL(linalg::cho_solve(x, x)),
      CALL(linalg::lstsq(x, x)), CALL(linalg::pinv(x)), CALL(linalg::matrix_rank(x)),
      CALL(linalg::null_space(x)), CALL(linalg::orth(x)), CALL(linalg::matrix_power(x, 2)),
      CALL(linalg::matrix_function<op::Exp>(x)), CALL(linalg::expm(x)),
      CALL(linalg::vector_norm(x)), CALL(linalg::matrix_norm(x)), CALL(linalg::cond(x)),
      CALL(linalg::kron(x, x)), CALL(linalg::toeplitz(take<0>(x, 0))),
      CALL(linalg::vander(take<0>(x, 0), 3)), CALL(linalg::cross<-1>(x, x + 1)));
  table.compare();
}

TEST_CASE("the table has what products accept") {
  function_table::Table table("products");
  table.add<"i=3 j=3">(CALL(matmul(x, transpose(x))), CALL(einsum<"i j, i j -> i">(x, x)),
                       CALL(dot(take<0>(x, 0), take<0>(x, 0))),
                       CALL(outer(take<0>(x, 0), take<1>(x, 0))));
  table.add<"channel=1 t=4">(CALL(convolve<"t">(x, full<Tensor<T, "out=1 channel=1 t=2", D>>(1))));
  table.compare();
}

TEST_CASE("the table has what Fourier transforms accept") {
  function_table::Table table("fft");
  table.add<"t=4 u=4">(CALL(fft::fft<"t">(x)), CALL(fft::ifft<"t">(x)), CALL(fft::fft2<"t u">(x)),
                       CALL(fft::ifft2<"t u">(x)), CALL(fft::fftn(x)), CALL(fft::ifftn(x)),
                       CALL(fft::rfft<"t">(x)), CALL(fft::irfft<"t">(x)), CALL(fft::rfftn(x)),
                       CALL(fft::irfftn(x)), CALL(fft::hfft<"t">(x)), CALL(fft::ihfft<"t">(x)),
                       CALL(fft::fftshift(x)), CALL(fft::ifftshift(x)),
                       CALL(fft::convolve<"t">(x, take<1>(x, 0))),
                       CALL(fft::stft<"t", 2>(x, full<Tensor<T, "t=4", D>>(1))),
                       CALL(fft::istft<"u", 2>(complex(x, x), full<Tensor<T, "t=6", D>>(1))));
  table.compare();
}

TEST_CASE("the table has what functions of complex numbers accept") {
  function_table::Table table("complex");
  table.add<"n=2 part=2">(CALL(real(x)), CALL(imag(x)), CALL(conj(x)), CALL(angle(x)),
                          CALL(complex(x, x)), CALL(tenon::polar(x, x)), CALL(view_as_real(x)),
                          CALL(view_as_complex(x)), CALL(mod_relu(x, -0.1)));
  table.compare();
}

TEST_CASE("the table has what interpolation accepts") {
  function_table::Table table("interpolation");
  table.add<"n=4">(
      CALL(interp(x, linspace<Tensor<T, "m=3", D>>(0, 1), linspace<Tensor<T, "m=3", D>>(1, 2))),
      CALL(cubic_spline(linspace<Tensor<T, "n=4", D>>(0, 1), x)));
  table.compare();
}

}  // namespace numeric_test
