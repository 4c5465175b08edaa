// Complex numbers are a dtype before <complex> is included: the answer of a concept that is asked
// before and after would otherwise depend on the order of headers.
#include <tenon/tenon.hpp>

static_assert(tenon::internal::is_dtype<std::complex<float>>);
static_assert(tenon::internal::ComplexType<std::complex<double>>);
static_assert(!tenon::internal::is_dtype<std::complex<int>>);

#include <tenon/tensor/complex.hpp>

namespace complex_before {

using namespace tenon;

Complex64<"n=2"> squares(Complex64<"n=2"> const& x) { return x * x; }

}  // namespace complex_before
