// The operation of CONTRIBUTING.md.

#include <doctest/doctest.h>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

struct Softsign {
  static constexpr std::string_view name = "softsign";
  static constexpr std::string_view onnx = "Softsign";
  static constexpr op::Accuracy accuracy{1.5, 1.5};
  static constexpr op::Domain domain = op::Domain::nonzero;
  static auto reference(auto x) { return x / (1 + std::fabs(x)); }
  template <op::FloatingValue V>
  static constexpr V f(V x) {
    return x / (V(1) + op::Abs::f(x));
  }
  template <op::FloatingValue V>
  static constexpr auto d(V x, V) {
    V const scale = V(1) / (V(1) + op::Abs::f(x));
    return op::partials(scale * scale);
  }
};

template <class X, WellFormed R = MapOf<Softsign, X>>
constexpr auto softsign(X&& x) -> R {
  return map<Softsign>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<Softsign, X>>
auto softsign(X&& x) -> R;

TEST_CASE("a user-defined operation has values and gradients") {
  Float32<"n=3"> const x{-1.0f, 0.0f, 3.0f};
  Float32<"n=3"> const y = softsign(x);
  CHECK(y(0) == doctest::Approx(-0.5));
  CHECK(y(2) == doctest::Approx(Softsign::reference(3.0)));
  auto const [total, gradient] = value_and_grad([](auto const& v) { return sum(softsign(v)); })(x);
  CHECK(total() == doctest::Approx(0.25));
  CHECK(gradient(0) == doctest::Approx(0.25));
  CHECK(gradient(2) == doctest::Approx(0.0625));
  auto const derivative = [](auto const& v) {
    return sum(grad([](auto const& w) { return sum(softsign(w)); })(v));
  };
  CHECK(grad(derivative)(x)(2) == doctest::Approx(-2 * 0.015625));
}
