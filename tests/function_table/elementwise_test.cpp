// Elementwise functions, activations and functions of complex numbers.

#include <doctest/doctest.h>

#include "rows.hpp"

#include <tenon/elementwise.hpp>
#include <tenon/nn.hpp>

namespace elementwise_test {

using namespace tenon;

TEST_CASE("the table has what elementwise functions accept") {
  function_table::Table table("elementwise");
  table.add<"n=4">(CALL(abs(x)), CALL(sqrt(x)), CALL(rsqrt(x)), CALL(reciprocal(x)),
                   CALL(square(x)), CALL(sign(x)), CALL(floor(x)), CALL(ceil(x)), CALL(round(x)),
                   CALL(trunc(x)), CALL(frac(x)), CALL(exp(x)), CALL(exp2(x)), CALL(expm1(x)),
                   CALL(log(x)), CALL(log2(x)), CALL(log10(x)), CALL(log1p(x)), CALL(sin(x)),
                   CALL(cos(x)), CALL(tan(x)), CALL(asin(x)), CALL(acos(x)), CALL(atan(x)),
                   CALL(sinh(x)), CALL(cosh(x)), CALL(tanh(x)), CALL(asinh(x)), CALL(acosh(x + 1)),
                   CALL(atanh(x)), CALL(erf(x)), CALL(erfc(x)), CALL(erfinv(x)), CALL(lgamma(x)),
                   CALL(digamma(x)), CALL(polygamma<1>(x)), CALL(i0(x)), CALL(i1(x)), CALL(sinc(x)),
                   CALL(cbrt(x)), CALL(deg2rad(x)), CALL(rad2deg(x)), CALL(nan_to_num(x)),
                   CALL(isnan(x)), CALL(isinf(x)), CALL(isfinite(x)), CALL(isposinf(x)),
                   CALL(isneginf(x)), CALL(logical_not(x)), CALL(to<double>(x)));
  table.add<"n=4">(
      CALL(maximum(x, x)), CALL(minimum(x, x)), CALL(tenon::max(x, x)), CALL(tenon::min(x, x)),
      CALL(pow(x, x)), CALL(hypot(x, x)), CALL(atan2(x, x + 1)), CALL(logaddexp(x, x)),
      CALL(xlogy(x, x)), CALL(copysign(x, x)), CALL(heaviside(x, x)), CALL(fmod(x, x + 1)),
      CALL(remainder(x, x)), CALL(floor_divide(x, x)), CALL(nextafter(x, x)), CALL(ldexp(x, 3)),
      CALL(gcd(x, x)), CALL(lcm(x, x)), CALL(logical_and(x, x)), CALL(logical_or(x, x)),
      CALL(logical_xor(x, x)), CALL(isclose(x, x)), CALL(clamp(x, 0, 1)), CALL(lerp(x, x, 0.5)),
      CALL(where(zeros<Mask<"n=4", D>>(), x, x)));
  table.compare();
}

TEST_CASE("the table has what activations accept") {
  function_table::Table table("activations");
  table.add<"n=4">(
      CALL(relu(x)), CALL(sigmoid(x)), CALL(silu(x)), CALL(softplus(x)), CALL(gelu(x)),
      CALL(gelu_tanh(x)), CALL(leaky_relu(x)), CALL(prelu(x, x)), CALL(elu(x)), CALL(celu(x)),
      CALL(selu(x)), CALL(hardtanh(x)), CALL(relu6(x)), CALL(hardswish(x)), CALL(hardsigmoid(x)),
      CALL(mish(x)), CALL(hardshrink(x, 0.3)), CALL(softshrink(x, 0.3)), CALL(tanhshrink(x)),
      CALL(threshold(x, 0.1, 0)), CALL(softsign(x)), CALL(logsigmoid(x)), CALL(glu<"n">(x)),
      CALL(swiglu<"n">(x)), CALL(softmin<"n">(x)), CALL(gumbel_softmax<"n">(Key{1}, x)),
      CALL(rrelu(Key{1}, x)), CALL(normalize<"n">(x)));
  table.compare();
}

}  // namespace elementwise_test
