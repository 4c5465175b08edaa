#pragma once

// Functions of a matrix in double, each with its first derivatives (`grad`, `jvp`), its second
// derivatives (`hvp`, `grad` of `grad`, `value_and_grad` in `grad`), its third derivatives, and
// with exceptions thrown from its backward.
// All functions have one type, so the derivatives are compiled once per file.

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/tenon.hpp>

namespace nested {

using namespace tenon;
using namespace tenon::internal;

using Matrix = Float64<"n m">;
using Scalar = Float64<"">;
using Function = std::function<Scalar(Matrix const&)>;

/// A scalar that depends nonlinearly on every element.
inline Scalar mixed_elements(Float64<"k"> const& x) {
  return sum(sin(x) * (1.0 + iota<Float64<"k">>(static_cast<int>(x.size())) * 0.25));
}
template <Expression E>
Scalar mixed(E const& e) {
  TensorOf<E> const y = e;
  Sizes sizes = unit_sizes();
  sizes[0] = y.size();
  return mixed_elements(reshaped<Float64<"k">>(y, sizes));
}

inline Matrix moved(Matrix const& at, Matrix const& direction, double step) {
  return at + step * direction;
}

inline void check_close(char const* what, Matrix const& got, Matrix const& expected,
                        double tolerance) {
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    INFO(what << ", element " << i);
    CHECK(got.data()[i] == doctest::Approx(expected.data()[i]).epsilon(tolerance).scale(1));
  }
}

/// The derivative of the gradient along a direction, by central differences.
inline Matrix difference_of_gradients(Function const& f, Matrix const& x, Matrix const& direction) {
  double const h = 1e-5;
  Matrix const up = grad(f)(moved(x, direction, h)), down = grad(f)(moved(x, direction, -h));
  return (up - down) * (0.5 / h);
}

/// `grad` of the weighted gradient: the Hessian times the weights.
inline Matrix gradient_of_gradient(Function const& f, Matrix const& x, Matrix const& weights) {
  return grad([&](Matrix const& at) -> Scalar { return sum(grad(f)(at) * weights); })(x);
}

/// The same with `value_and_grad`, including the value: the gradient is added to the Hessian-vector
/// product.
inline Matrix gradient_of_both(Function const& f, Matrix const& x, Matrix const& weights) {
  return grad([&](Matrix const& at) -> Scalar {
    auto const [value, derivative] = value_and_grad(f)(at);
    return value + sum(derivative * weights);
  })(x);
}

/// Third derivatives, compared with central differences of second derivatives.
inline void check_third(Function const& f, Matrix const& x, Matrix const& direction,
                        double tolerance) {
  double const h = 1e-5;
  Matrix const up = gradient_of_gradient(f, moved(x, direction, h), direction);
  Matrix const down = gradient_of_gradient(f, moved(x, direction, -h), direction);
  Matrix const third = grad([&](Matrix const& at) -> Scalar {
    return sum(gradient_of_gradient(f, at, direction) * direction);
  })(x);
  check_close("grad of grad of grad", third, (up - down) * (0.5 / h), tolerance);
}

inline void check_jvp(Function const& f, Matrix const& x, Matrix const& direction) {
  double const h = 1e-6;
  auto const [value, derivative] = jvp(f, x, direction);
  double const up = f(moved(x, direction, h)).item(), down = f(moved(x, direction, -h)).item();
  CHECK(value.item() == doctest::Approx(f(x).item()).epsilon(1e-12));
  CHECK(derivative.item() == doctest::Approx((up - down) / (2 * h)).epsilon(1e-6).scale(1));
}

/// The identity, with a backward that throws at its `countdown`-th call.
struct Faulty {
  int countdown = 0;

  Matrix operator()(Matrix const& x) {
    auto const backward = [this](Matrix const& dy, Matrix const&, Matrix const&) -> Matrix {
      if (--countdown == 0) throw std::runtime_error("as planned");
      return dy;
    };
    return custom_vjp([](Matrix const& y) { return y; }, backward)(x);
  }
};

inline void check_nothing_is_left() {
  CHECK(recording == 0);
  CHECK(recording_around == 0);
  CHECK(tenon::internal::graph::Graph::current == nullptr);
}

/// The first backward throws, for each kind of derivative.
inline void check_first_throws(Function const& g, Faulty& faulty, Matrix const& x) {
  Function const kinds[] = {
      [&](Matrix const& at) -> Scalar { return sum(grad(g)(at)); },
      [&](Matrix const& at) -> Scalar { return sum(hvp(g, at, at)); },
      [&](Matrix const& at) -> Scalar { return jvp(g, at, at).second; },
  };
  for (Function const& kind : kinds) {
    faulty.countdown = 1;
    CHECK_THROWS_WITH_AS(kind(x), "as planned", std::runtime_error);
    check_nothing_is_left();
  }
}

/// Makes each backward throw in turn, in the inner gradient and in the outer one; derivatives
/// computed afterwards are unchanged. Returns the number of backwards that threw.
inline int check_each_throws(Function const& g, Faulty& faulty, Matrix const& x,
                             Matrix const& weights) {
  faulty.countdown = 0;
  Matrix const expected = gradient_of_gradient(g, x, weights);
  for (int call = 1; call < 10; ++call) {
    faulty.countdown = call;
    bool has_thrown = false;
    try {
      check_close("after exceptions", gradient_of_gradient(g, x, weights), expected, 1e-12);
    } catch (std::runtime_error const& error) {
      has_thrown = error.what() == std::string("as planned");
    }
    check_nothing_is_left();
    if (!has_thrown) return call - 1;
  }
  return 0;
}

/// Exceptions from the backward of an argument of `f`, and of a function of `f`.
inline void check_exceptions(Function const& f, Matrix const& x, Matrix const& weights) {
  for (bool const before : {true, false}) {
    Faulty faulty;
    Function const g = [&](Matrix const& at) -> Scalar {
      if (before) return f(faulty(at));
      return sum(sin(faulty(reshaped<Matrix>(f(at), unit_sizes()))));
    };
    check_first_throws(g, faulty, x);
    CHECK(check_each_throws(g, faulty, x, weights) >= 2);
  }
}

/// All checks at one point.
inline void check(std::string const& name, Matrix const& x, Function const& f,
                  double tolerance = 1e-6) {
  CAPTURE(name);
  Matrix direction = Matrix::uninitialised(x.sizes());
  for (std::int64_t i = 0; i < x.size(); ++i)
    direction.mutable_data()[i] = 0.1 + 0.7 * std::sin(static_cast<double>(3 * i + 1));
  Matrix const second = difference_of_gradients(f, x, direction);
  check_close("hvp", hvp(f, x, direction), second, tolerance);
  check_close("grad of grad", gradient_of_gradient(f, x, direction), second, tolerance);
  check_close("grad of value_and_grad", gradient_of_both(f, x, direction), second + grad(f)(x),
              tolerance);
  check_third(f, x, direction, 10 * tolerance);
  check_jvp(f, x, direction);
  check_exceptions(f, x, direction);
}

}  // namespace nested
