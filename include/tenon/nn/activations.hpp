#pragma once

#include <string_view>
#include <utility>

#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/rule.hpp>

/// Operations with parameters. In `op/` are those without.
namespace tenon::op {

/// x where it is positive, else slope x; the derivative at 0 is the slope.
struct LeakyRelu {
  static constexpr std::string_view name = "leaky_relu";
  template <class X>
  static X symbolic(X x, X slope) {
    return select(x > X(0), x, slope * x);
  }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x, V slope) {
    return select(x > V(scalar_of<V>(0)), x, slope * x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V slope, V) {
    V const zero = V(scalar_of<V>(0)), one = V(scalar_of<V>(1));
    return partials(select(x > zero, one, slope), select(x > zero, zero, x));
  }
};

/// The same with learned slopes.
struct PRelu : LeakyRelu {
  static constexpr std::string_view name = "prelu";
};

/// x where it is positive, else scale (e^(rate x) - 1).
struct Elu {
  static constexpr std::string_view name = "elu";
  template <class X>
  static X symbolic(X x, X scale, X rate) {
    return select(x > X(0), x, scale * applied<Expm1>(rate * minimum(x, X(0))));
  }
  template <FloatingValue V>
  static constexpr V below(V x) {
    V const zero = V(scalar_of<V>(0));
    return select(x > zero, zero, x);
  }
  template <FloatingValue V>
  static constexpr V f(V x, V scale, V rate) {
    return select(x > V(scalar_of<V>(0)), x, scale * Expm1::f(rate * below(x)));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V scale, V rate, V) {
    V const one = V(scalar_of<V>(1)), z = rate * below(x), e = scale * applied<Exp>(z);
    return partials(select(x > V(scalar_of<V>(0)), one, rate * e), applied<Expm1>(z), below(x) * e);
  }
};

/// x from low to high, else the nearer of both, with the derivative 0 there.
struct HardTanh {
  static constexpr std::string_view name = "hardtanh";
  template <class X>
  static X symbolic(X x, X low, X high) {
    return minimum(maximum(x, low), high);
  }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x, V low, V high) {
    return select(x <= low, low, select(x >= high, high, x));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V low, V high, V) {
    auto const below = x <= low, above = (!below) & (x >= high);
    return partials(!(below | above), below, above);
  }
};

/// x (x + 3) / 6 between -3 and 3, x above, 0 below.
struct HardSwish {
  static constexpr std::string_view name = "hardswish";
  template <class X>
  static X symbolic(X x) {
    return maximum(x, X(-3)) * (minimum(maximum(x + X(3), X(0)), X(6)) * X(1.0 / 6));
  }
  template <FloatingValue V>
  TENON_INLINE static constexpr V f(V x) {
    V const zero = V(scalar_of<V>(0)), three = V(scalar_of<V>(3));
    V const middle = x * ((x + three) * V(scalar_of<V>(1.0 / 6)));
    return select(x <= -three, zero, select(x >= three, x, middle));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    V const zero = V(scalar_of<V>(0)), one = V(scalar_of<V>(1)), three = V(scalar_of<V>(3));
    V const middle = fma(x, V(scalar_of<V>(1.0 / 3)), V(scalar_of<V>(0.5)));
    return partials(select(x <= -three, zero, select(x >= three, one, middle)));
  }
};

/// x tanh(log(1 + e^x)), as x n / (n + 2) with n = e^x (e^x + 2). Beyond 20 it is x.
struct Mish {
  static constexpr std::string_view name = "mish";
  template <class X>
  static X symbolic(X x) {
    return operator_or(OnnxOperator{"Mish", 18}, maximum(x, X(-800)), [](X z) {
      X const e = applied<Exp>(minimum(z, X(20))), n = e * (e + X(2));
      return z * (n / (n + X(2)));
    });
  }
  template <FloatingValue V>
  static constexpr V inner(V x) {
    return clamp(x, V(scalar_of<V>(-800)), V(scalar_of<V>(20)));
  }
  template <FloatingValue V>
  static constexpr V f(V x) {
    V const two = V(scalar_of<V>(2)), z = inner(x), e = Exp::f(z), n = e * (e + two);
    return maximum(x, V(scalar_of<V>(-800))) * (n / (n + two));
  }
  /// With t = n / (n + 2), whose complement is q = 2 / (n + 2): t + x sigmoid(x) (1 + t) q.
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    V const one = V(scalar_of<V>(1)), two = V(scalar_of<V>(2)), z = inner(x);
    V const e = applied<Exp>(z), n = e * (e + two), q = two / (n + two), t = n / (n + two);
    V const gate = z * (e / (e + one)) * (one + t) * q;
    return partials(select(x > V(scalar_of<V>(20)), one, t + gate));
  }
};

}  // namespace tenon::op

namespace tenon::internal {

template <class X>
concept FloatExpression = Expression<X> && FloatType<typename Unqualified<X>::value_type>;

/// An operand of a floating dtype.
template <Spec text>
struct FloatRule : Named<text> {
  template <class X>
  static constexpr auto mistake() {
    if constexpr (FloatExpression<X>) return std::type_identity<void>{};
    else return dtype_mistake<Named<text>, X>();
  }
};

}  // namespace tenon::internal

/// Activations under PyTorch's names, of floating numbers. Each is one kernel with what surrounds
/// it. Parameters are numbers at run time.
namespace tenon {

/// x where it is positive, else negative_slope x, elementwise: a lazy expression of the shape of x,
/// of floating dtypes. The derivative at 0 is negative_slope; NaN stays NaN. PyTorch: `leaky_relu`.
template <class X, WellFormed R = MapOf<op::LeakyRelu, X, double>>
constexpr auto leaky_relu(X&& x, double negative_slope = 0.01) -> R {
  return map<op::LeakyRelu>(std::forward<X>(x), negative_slope);
}
template <class X, IllFormed R = MapOf<op::LeakyRelu, X, double>>
auto leaky_relu(X&& x, double = 0) -> R;

/// x where it is positive, else weight x: a learned scalar, or a tensor that broadcasts by its
/// names: "channel" to "batch channel height width". PyTorch: `prelu`.
template <class X, class W, WellFormed R = MapOf<op::PRelu, X, W>>
constexpr auto prelu(X&& x, W&& weight) -> R {
  return map<op::PRelu>(std::forward<X>(x), std::forward<W>(weight));
}
template <class X, class W, IllFormed R = MapOf<op::PRelu, X, W>>
auto prelu(X&& x, W&& weight) -> R;

/// x where it is positive, else alpha (e^x - 1). D.-A. Clevert et al., 2015. PyTorch: `elu`.
template <class X, WellFormed R = MapOf<op::Elu, X, double, double>>
constexpr auto elu(X&& x, double alpha = 1) -> R {
  return map<op::Elu>(std::forward<X>(x), alpha, 1.0);
}
template <class X, IllFormed R = MapOf<op::Elu, X, double, double>>
auto elu(X&& x, double = 0) -> R;

/// x where it is positive, else alpha (e^(x/alpha) - 1). J. Barron, 2017. PyTorch: `celu`.
template <class X, WellFormed R = MapOf<op::Elu, X, double, double>>
constexpr auto celu(X&& x, double alpha = 1) -> R {
  return map<op::Elu>(std::forward<X>(x), alpha, 1 / alpha);
}
template <class X, IllFormed R = MapOf<op::Elu, X, double, double>>
auto celu(X&& x, double = 0) -> R;

/// x from low to high, else the nearer of both; the derivative there is 0, unlike that of `clamp`.
/// PyTorch: `hardtanh`.
template <class X, WellFormed R = MapOf<op::HardTanh, X, double, double>>
constexpr auto hardtanh(X&& x, double min_val = -1, double max_val = 1) -> R {
  return map<op::HardTanh>(std::forward<X>(x), min_val, max_val);
}
template <class X, IllFormed R = MapOf<op::HardTanh, X, double, double>>
auto hardtanh(X&& x, double = 0, double = 0) -> R;

/// min(max(x, 0), 6), with the derivative 0 at both. PyTorch: `relu6`.
template <class X>
constexpr auto relu6(X&& x) -> decltype(hardtanh(std::forward<X>(x), 0, 6)) {
  return hardtanh(std::forward<X>(x), 0, 6);
}

/// x `hardsigmoid(x)`; 0 at -infinity. A. Howard et al., 2019. PyTorch: `hardswish`.
template <class X, WellFormed R = MapOf<op::HardSwish, X>>
constexpr auto hardswish(X&& x) -> R {
  return map<op::HardSwish>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::HardSwish, X>>
auto hardswish(X&& x) -> R;

/// x tanh(log(1 + e^x)); 0 at -infinity. D. Misra, 2019. PyTorch: `mish`.
template <class X, WellFormed R = MapOf<op::Mish, X>>
constexpr auto mish(X&& x) -> R {
  return map<op::Mish>(std::forward<X>(x));
}
template <class X, IllFormed R = MapOf<op::Mish, X>>
auto mish(X&& x) -> R;

}  // namespace tenon

namespace tenon::internal {

/// scale `elu(x, alpha)` with the constants that preserve mean 0 and variance 1. G. Klambauer et
/// al., 2017. PyTorch: `selu`.
template <FloatExpression X>
constexpr auto selu(X&& x) {
  return 1.0507009873554804934193349852946 *
         elu(std::forward<X>(x), 1.6732632423543772848170429916717);
}
template <class X, class M = RuleError<FloatRule<"selu">, X>>
auto selu(X&&) -> M;

/// (x + 3) / 6 from 0 to 1. PyTorch: `hardsigmoid`.
template <FloatExpression X>
constexpr auto hardsigmoid(X&& x) {
  return (hardtanh(std::forward<X>(x), -3, 3) + 3) * (1.0 / 6);
}
template <class X, class M = RuleError<FloatRule<"hardsigmoid">, X>>
auto hardsigmoid(X&&) -> M;

/// x where |x| > lambda, else 0. PyTorch: `hardshrink`.
template <FloatExpression X>
constexpr auto hardshrink(X const& x, double lambda = 0.5) {
  return where(abs(x) <= lambda, 0, x);
}
template <class X, class M = RuleError<FloatRule<"hardshrink">, X>>
auto hardshrink(X const&, double = 0) -> M;

/// x moved by lambda towards 0, and 0 where |x| <= lambda. PyTorch: `softshrink`.
template <FloatExpression X>
constexpr auto softshrink(X const& x, double lambda = 0.5) {
  return where(abs(x) <= lambda, 0, x - lambda * sign(x));
}
template <class X, class M = RuleError<FloatRule<"softshrink">, X>>
auto softshrink(X const&, double = 0) -> M;

/// x - tanh(x). PyTorch: `tanhshrink`.
template <FloatExpression X>
constexpr auto tanhshrink(X const& x) {
  return x - tanh(x);
}
template <class X, class M = RuleError<FloatRule<"tanhshrink">, X>>
auto tanhshrink(X const&) -> M;

/// x where it is above the threshold, else the value. PyTorch: `threshold`.
template <FloatExpression X>
constexpr auto threshold(X const& x, double threshold, double value) {
  return where(x <= threshold, value, x);
}
template <class X, class M = RuleError<FloatRule<"threshold">, X>>
auto threshold(X const&, double, double) -> M;

/// x / (1 + |x|); 1 and -1 at the infinities. PyTorch: `softsign`.
template <FloatExpression X>
constexpr auto softsign(X&& x) {
  auto const finite = hardtanh(std::forward<X>(x), -1e18, 1e18);
  return finite / (1 + abs(finite));
}
template <class X, class M = RuleError<FloatRule<"softsign">, X>>
auto softsign(X&&) -> M;

/// log(sigmoid(x)), without overflow. PyTorch: `logsigmoid`.
template <FloatExpression X>
constexpr auto logsigmoid(X&& x) {
  return -softplus(-std::forward<X>(x));
}
template <class X, class M = RuleError<FloatRule<"logsigmoid">, X>>
auto logsigmoid(X&&) -> M;

}  // namespace tenon::internal

namespace tenon {

using internal::hardshrink;
using internal::hardsigmoid;
using internal::logsigmoid;
using internal::selu;
using internal::softshrink;
using internal::softsign;
using internal::tanhshrink;
using internal::threshold;

}  // namespace tenon
