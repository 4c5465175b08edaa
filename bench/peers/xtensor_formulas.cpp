#include "xtensor_formulas.hpp"

#ifdef TENON_BENCH_XTENSOR

#include <array>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>

namespace xtensor_formulas {

namespace {

auto over(float const* data, Numbers const& n) {
  return xt::adapt(data, static_cast<std::size_t>(n.n), xt::no_ownership(),
                   std::array<std::size_t, 1>{static_cast<std::size_t>(n.n)});
}

/// A formula of the three inputs, assigned to the result without a temporary.
template <class F>
Work formula(Numbers const& n, F const& f) {
  return [a = over(n.a, n), b = over(n.b, n), c = over(n.c, n), n, f] {
    auto out = xt::adapt(n.out, static_cast<std::size_t>(n.n), xt::no_ownership(),
                         std::array<std::size_t, 1>{static_cast<std::size_t>(n.n)});
    xt::noalias(out) = f(a, b, c);
  };
}

}  // namespace

Work relu_of_sum(Numbers const& n) {
  return formula(n, [](auto& a, auto& b, auto& c) { return xt::maximum(a * b + c, 0.0f); });
}
Work gated(Numbers const& n) {
  return formula(
      n, [](auto& a, auto& b, auto& c) { return xt::tanh(a) * (1.0f / (1.0f + xt::exp(-b))) + c; });
}
Work bell(Numbers const& n) {
  return formula(
      n, [](auto& a, auto& b, auto&) { return xt::exp(-0.5f * xt::square((a - b) / 2.0f)); });
}
Work gelu(Numbers const& n) {
  return formula(
      n, [](auto& a, auto&, auto&) { return 0.5f * a * (1.0f + xt::erf(a * 0.70710678f)); });
}

}  // namespace xtensor_formulas

#else

namespace xtensor_formulas {

Work relu_of_sum(Numbers const&) { return {}; }
Work gated(Numbers const&) { return {}; }
Work bell(Numbers const&) { return {}; }
Work gelu(Numbers const&) { return {}; }

}  // namespace xtensor_formulas

#endif
