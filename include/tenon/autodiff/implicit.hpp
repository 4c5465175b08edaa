#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include <tenon/autodiff/jacobian.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/eval/linalg/solve.hpp>
#include <tenon/expr/reduction/reductions.hpp>

/// Solutions of equations, whose derivatives are those of the implicit function.
namespace tenon {

/// When an iteration for a solution ends.
struct IterationOptions {
  double tolerance = 0;  ///< Of the last step, relative to 1 + |x|; 0: 64 units of rounding.
  std::int64_t max_iter = 1000;
};

}  // namespace tenon

namespace tenon::internal {

template <class X>
concept FloatTensor = TensorType<X> && FloatType<typename X::value_type>;

/// The largest magnitude of the elements of a tensor; NaN if one is.
template <TensorType X>
double magnitude(X const& x) {
  Unrecorded const unrecorded;
  if (x.size() == 0) return 0;
  return static_cast<double>(eval(max(abs(unmarked_leaves(x)))).item());
}

/// Whether a step is so small that the iteration ends.
template <TensorType X>
bool is_last_step(X const& step, X const& x, IterationOptions const& options) {
  using T = Computed<typename X::value_type>;
  double const own = 64 * static_cast<double>(std::numeric_limits<T>::epsilon());
  double const tolerance = options.tolerance > 0 ? options.tolerance : own;
  return magnitude(step) <= tolerance * (1 + magnitude(x));
}

[[noreturn]] inline void fail_to_converge(std::string_view who, std::int64_t steps) {
  fail<ValueError>({who, {}, "convergence", "none in " + std::to_string(steps) + " steps", {}});
}

/// x = next(x), until a step is small.
template <class F, TensorType X>
X iterate(std::string_view who, F const& next, X x, IterationOptions const& options) {
  for (std::int64_t i = 0; i < options.max_iter; ++i) {
    X const before = std::exchange(x, X(next(std::as_const(x))));
    if (is_last_step(X(x - before), x, options)) return x;
  }
  fail_to_converge(who, options.max_iter);
}

/// The adjoints of the arguments of `f(x, parameters...)` for that of its value.
template <class F, TensorType Y, TensorType X, class... P>
std::tuple<X, P...> adjoints_of_call(F const& f, Y const& adjoint, X const& x, P const&... p) {
  auto const call = [&](std::tuple<X, P...> const& all) -> Y { return std::apply(f, all); };
  return differentiate<false>(call, std::tuple<X, P...>(x, p...),
                              [&](Y const&) { return adjoint; });
}

/// The same where x is a start, which has none: with no parameters the start's alone.
template <class F, TensorType Y, TensorType X, class... P>
auto adjoints_without_start(F const& f, Y const& adjoint, X const& x, P const&... p) {
  auto adjoints = adjoints_of_call(f, adjoint, x, p...);
  std::get<0>(adjoints) = zeros_like(std::get<0>(adjoints));
  if constexpr (sizeof...(P) == 0) return std::get<0>(std::move(adjoints));
  else return adjoints;
}

/// x = f(x, p): the adjoint of p is ∂f/∂pᵀ w, where w = dx + ∂f/∂xᵀ w, also a fixed point.
template <class F>
struct FixedPointBackward {
  F f;
  IterationOptions options;

  template <TensorType X, class... P>
    requires CallableWith<F const&, X const&, P const&...>
  auto operator()(X const& dx, X const& x, X const&, P const&... p) const {
    auto const next = [&](X const& w) { return dx + std::get<0>(adjoints_of_call(f, w, x, p...)); };
    X const w = iterate("fixed_point", next, dx, options);
    return adjoints_without_start(f, w, x, p...);
  }
};

/// The x for which x = f(x, parameters...), by iteration from `start`: x has the type of `start`.
/// The gradient is that of the solution, by parameters, any trees: it does not depend on the way
/// there, nor on `start`. What f captures is constant. Throws `ValueError` where the iteration, or
/// that of the gradient, does not converge. jaxopt: `FixedPointIteration`.
template <class F, FloatTensor X, class... P>
  requires CallableWith<F const&, X const&, P const&...>
X fixed_point(IterationOptions const& options, F const& f, X const& start, P const&... parameters) {
  auto const forward = [f, options](X const& x, P const&... p) {
    return iterate(
        "fixed_point", [&](X const& at) { return f(at, p...); }, x, options);
  };
  return custom_vjp(forward, FixedPointBackward<F>{f, options})(start, parameters...);
}
template <class F, FloatTensor X, class... P>
  requires CallableWith<F const&, X const&, P const&...>
X fixed_point(F const& f, X const& start, P const&... parameters) {
  return fixed_point(IterationOptions{}, f, start, parameters...);
}
template <class F, class X, class... P>
  requires(!std::same_as<F, IterationOptions> && !CallableWith<F const&, X const&, P const&...>)
auto fixed_point(F const&, X const&, P const&...)
    -> error::function_does_not_take<"fixed_point", X, P...>;

/// A system of equations: matrices and right-hand sides of one type.
template <TensorType X>
using SystemMatrix = Tensor<typename X::value_type, "_ _", typename X::device>;
template <TensorType X>
using SystemVector = Tensor<typename X::value_type, "_", typename X::device>;

/// The matrix of the derivatives of `f` by x.
template <class F, TensorType X>
SystemMatrix<X> system_of(F const& f, X const& x) {
  using Y = TensorOf<CallResult<F const&, X const&>>;
  using Matrix = SystemMatrix<X>;
  auto const flat = [&](X const& at) {
    Y const y = f(at);
    return reshaped<SystemVector<X>>(y, first_sizes(y.size()));
  };
  auto const jacobian = jacrev(flat)(x);
  std::int64_t const equations = at(jacobian.sizes(), 0);
  return reshaped<Matrix>(jacobian, first_sizes(equations, x.size()));
}

/// a⁻¹ b, of the sizes of `like`.
template <TensorType R, TensorType X>
R solve_system(SystemMatrix<X> const& a, X const& b, R const& like) {
  auto const right = reshaped<SystemVector<X>>(b, first_sizes(b.size()));
  SystemVector<X> const solution = linalg::solve(a, right);
  return reshaped<R>(solution, like.sizes());
}

/// One step of Newton's method, shortened until the largest residual does not grow.
template <class F, TensorType X>
X newton_step(F const& f, X const& x) {
  auto const residual = eval(f(x));
  X step = solve_system(system_of(f, x), residual, x);
  double const before = magnitude(residual);
  for (int i = 0; i < 20 && !(magnitude(eval(f(X(x - step)))) <= before); ++i) step = step * 0.5f;
  return x - step;
}

/// f(x, p) = 0: the adjoint of p is -∂f/∂pᵀ w, where ∂f/∂xᵀ w = dx.
template <class F>
struct RootBackward {
  F f;

  template <TensorType X, class... P>
    requires CallableWith<F const&, X const&, P const&...>
  auto operator()(X const& dx, X const& x, X const&, P const&... p) const {
    auto const of_x = [&](X const& at) { return f(at, p...); };
    using Y = TensorOf<CallResult<F const&, X const&, P const&...>>;
    Y const like = f(x, p...);
    SystemMatrix<X> const turned = transpose(system_of(of_x, x));
    Y const w = -solve_system(turned, dx, like);
    return adjoints_without_start(f, w, x, p...);
  }
};

/// The x for which f(x, parameters...) is zero, by Newton's method from `start`: f returns as many
/// numbers as x has. The gradient is that of the solution, by parameters, any trees: it does not
/// depend on the way there, nor on `start`. What f captures is constant. Throws `ValueError` where
/// the iteration does not converge or a matrix of derivatives is singular. SciPy: `optimize.root`.
/// JAX: `lax.custom_root`.
template <class F, FloatTensor X, class... P>
  requires CallableWith<F const&, X const&, P const&...>
X root(IterationOptions const& options, F const& f, X const& start, P const&... parameters) {
  auto const forward = [f, options](X const& x, P const&... p) {
    auto const of_x = [&](X const& at) { return f(at, p...); };
    return iterate(
        "root", [&](X const& at) { return newton_step(of_x, at); }, x, options);
  };
  return custom_vjp(forward, RootBackward<F>{f})(start, parameters...);
}
template <class F, FloatTensor X, class... P>
  requires CallableWith<F const&, X const&, P const&...>
X root(F const& f, X const& start, P const&... parameters) {
  return root(IterationOptions{}, f, start, parameters...);
}
template <class F, class X, class... P>
  requires(!std::same_as<F, IterationOptions> && !CallableWith<F const&, X const&, P const&...>)
auto root(F const&, X const&, P const&...) -> error::function_does_not_take<"root", X, P...>;

}  // namespace tenon::internal

namespace tenon {

using internal::fixed_point;
using internal::root;

}  // namespace tenon
