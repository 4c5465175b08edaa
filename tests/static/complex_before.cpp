// Concepts give the same result for std::complex before and after <complex> is included: the value
// of a concept is fixed at its first use, so the order of headers would otherwise change it.
#include <tenon/tenon.hpp>

static_assert(tenon::internal::is_dtype<std::complex<float>>);
static_assert(tenon::internal::ComplexType<std::complex<double>>);
static_assert(!tenon::internal::is_dtype<std::complex<int>>);

#include <tenon/tensor/complex.hpp>

namespace complex_before {

using namespace tenon;

Complex64<"n=2"> squares(Complex64<"n=2"> const& x) { return x * x; }

}  // namespace complex_before
