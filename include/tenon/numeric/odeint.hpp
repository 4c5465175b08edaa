#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tenon/autodiff/checkpoint.hpp>
#include <tenon/autodiff/sequence.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/expr/create/like.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/reduction/mean.hpp>

/// Ordinary differential equations, by the method of Dormand and Prince.
namespace tenon {

/// The errors that `odeint` allows in a step: rtol |y| + atol, and its most steps between two
/// times.
struct OdeOptions {
  double rtol = 1.4e-8;
  double atol = 1.4e-8;
  std::int64_t max_steps = 100000;
};

}  // namespace tenon

namespace tenon::internal::ode {

/// Dormand and Prince 1980, "A family of embedded Runge-Kutta formulae": the times of the stages,
/// their weights of the stages before them, of which the last are those of the result, and the
/// weights of the error.
inline constexpr std::size_t stages = 7;
inline constexpr std::array<double, stages> stage_times{0,       1.0 / 5, 3.0 / 10, 4.0 / 5,
                                                        8.0 / 9, 1,       1};
inline constexpr std::array<std::array<double, stages - 1>, stages> weights{{
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
}};
inline constexpr std::array<double, stages> error_weights{
    71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/// One step: from a time, by a length, which is negative backwards.
struct Step {
  double time, length;
};

/// y + h (w₀ k₀ + w₁ k₁ + …).
template <class Y, class Weights>
Y advance(Y y, double h, Weights const& w, std::vector<Y> const& k) {
  using T = typename Y::value_type;
  for (std::size_t i = 0; i < k.size(); ++i)
    if (w[i] != 0) y = y + k[i] * static_cast<Computed<T>>(h * w[i]);
  return y;
}

/// y after a step. `derivatives` has dy/dt at the first stages, or none, and gets those at all
/// stages but the last, which is at the end of the step.
template <class Y, class F>
Y take_step(F const& f, Y const& y, Step const& step, std::vector<Y>& derivatives) {
  for (std::size_t i = derivatives.size(); i + 1 < stages; ++i)
    derivatives.push_back(Y(f(advance(y, step.length, weights[i], derivatives),
                              step.time + step.length * stage_times[i])));
  return advance(y, step.length, weights.back(), derivatives);
}

/// The error of a step relative to that which is allowed, the root of the mean of squares.
template <class Y>
double error_norm(Y const& before, Y const& after, double h, std::vector<Y> const& derivatives,
                  OdeOptions const& options) {
  using T = Computed<typename Y::value_type>;
  if (before.size() == 0) return 0;
  Y const error = advance(zeros_like(before), h, error_weights, derivatives);
  auto const scale = maximum(abs(before), abs(after)) * static_cast<T>(options.rtol) +
                     static_cast<T>(options.atol);
  return std::sqrt(static_cast<double>(eval(mean(square(error / scale))).item()));
}

/// The length of the first step: a hundredth of the time in which y would change by its size.
template <class Y>
double initial_step(Y const& y, Y const& derivative, OdeOptions const& options) {
  double const size = error_norm(zeros_like(y), y, 1, {y}, options);
  double const speed = error_norm(zeros_like(y), y, 1, {derivative}, options);
  bool const is_known = size > 1e-5 && speed > 1e-5 && std::isfinite(size) && std::isfinite(speed);
  return is_known ? 0.01 * size / speed : 1e-6;
}

/// The steps of a solution: chosen by their errors, without a recording.
template <class Y, class F>
class Stepper {
 public:
  Stepper(F const& f, Y y, double time, OdeOptions const& options)
      : f_(f), y_(std::move(y)), time_(time), options_(options), derivative_(f_(y_, time)) {
    length_ = initial_step(y_, derivative_, options_);
  }

  /// Advances to `end`, and adds the steps to `made`.
  Y const& advance(double end, std::vector<Step>& made) {
    for (std::int64_t tried = 0; time_ != end; ++tried) {
      if (tried == options_.max_steps || !(length_ > 1e-14 * std::abs(time_)))
        fail<ValueError>({"odeint",
                          "t",
                          "steps that reach " + std::to_string(end),
                          "none after " + std::to_string(time_),
                          {}});
      bool const is_last = std::abs(end - time_) <= length_;
      try_step({time_, is_last ? end - time_ : std::copysign(length_, end - time_)}, is_last, end,
               made);
    }
    return y_;
  }

 private:
  void try_step(Step const& step, bool is_last, double end, std::vector<Step>& made) {
    std::vector<Y> derivatives{derivative_};
    Y const next = take_step(f_, y_, step, derivatives);
    derivatives.push_back(f_(next, step.time + step.length));
    double const error = error_norm(y_, next, step.length, derivatives, options_);
    double const factor = std::isnan(error) ? 0.2 : 0.9 * std::pow((std::max)(error, 1e-10), -0.2);
    length_ = std::abs(step.length) * std::clamp(factor, 0.2, 10.0);
    if (!(error <= 1)) return;
    made.push_back(step);
    y_ = next;
    derivative_ = derivatives.back();
    time_ = is_last ? end : step.time + step.length;
  }

  F const& f_;
  Y y_;
  double time_;
  OdeOptions options_;
  Y derivative_;
  double length_ = 0;
};

/// The solution at the times, and the steps before each of them.
template <class Y, class F>
std::vector<Y> values_at(F const& f, Y const& start, std::vector<double> const& times,
                         OdeOptions const& options, std::vector<std::vector<Step>>& steps) {
  Unrecorded const unrecorded;
  std::vector<Y> values{start};
  Stepper<Y, F> stepper(f, start, times.front(), options);
  for (std::size_t i = 1; i < times.size(); ++i)
    values.push_back(stepper.advance(times[i], steps.emplace_back()));
  return values;
}

/// The same steps again, as recorded functions: each stores its arguments, and is computed again in
/// the backward.
template <class Y, class F, class... P>
void record_values(F const& f, std::vector<Y>& values, Y y,
                   std::vector<std::vector<Step>> const& steps, P const&... parameters) {
  values.front() = y;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (Step const& step : steps[i]) {
      auto const next = [f, step](Y const& at, P const&... p) {
        auto const derivative = [&](Y const& x, double t) -> Y { return f(x, t, p...); };
        std::vector<Y> derivatives;
        return take_step(derivative, at, step, derivatives);
      };
      y = checkpoint(next)(y, parameters...);
    }
    values[i + 1] = y;
  }
}

/// The times as numbers.
template <TensorType Ts>
std::vector<double> numbers_of(Ts const& ts) {
  auto const here = moved_to<Cpu>(unmarked_leaves(ts));
  return std::vector<double>(here.data(), here.data() + here.size());
}

/// The error of a call, or `void`.
template <class F, class Y, class Ts, class... P>
constexpr auto ode_mistake() {
  using Name = Named<"odeint">;
  using refused = error::function_does_not_take<spec_of_name<Name>, Y, double, P...>;
  if constexpr (!Expression<Y> || !Expression<Ts>) return std::type_identity<refused>{};
  else if constexpr (!CallableWith<F const&, TensorOf<Y> const&, double, P const&...>)
    return std::type_identity<refused>{};
  else if constexpr (Ts::shape.rank != 1) return rank_mistake<Name, Ts, 1>();
  else return std::type_identity<void>{};
}
template <class F, class Y, class Ts, class... P>
using OdeMistake = typename decltype(ode_mistake<F, Y, Ts, P...>())::type;

/// The solution of dy/dt = f(y, t, parameters...) at the times `ts`, from y at the first of them:
/// "n" and "time" give "time n". t is a `double`. Steps by Dormand and Prince of order 5, with the
/// errors of `OdeOptions`, which may come first: `odeint(options, f, y, ts)`. Times ascend, or
/// descend. The gradient, by y and `parameters`, any trees, is that of the steps that were made,
/// each of which is stored as its start and computed again; times and what f captures are
/// constants. Throws `ValueError` where steps become too many or too small. JAX:
/// `experimental.ode.odeint`. SciPy: `solve_ivp`.
template <class F, class Start, class Ts, class... P>
  requires std::is_void_v<OdeMistake<F, Start, Ts, P...>>
auto odeint(OdeOptions const& options, F const& f, Start const& start, Ts const& ts,
            P const&... parameters) {
  using Y = TensorOf<Start>;
  Y const y = eval(start);
  auto const numbers = numbers_of(eval(ts));
  if (numbers.empty()) throw ValueError("tenon::odeint: no times");
  auto const derivative = [&](Y const& at, double t) -> Y {
    return f(at, t, unmarked_leaves(parameters)...);
  };
  std::vector<std::vector<Step>> steps;
  auto values = values_at(derivative, unmarked_leaves(y), numbers, options, steps);
  if (any_recorded(y, parameters...)) record_values(f, values, y, steps, parameters...);
  auto const row = [&](std::int64_t i) {
    return sequence::one_step(values[static_cast<std::size_t>(i)]);
  };
  auto const all = sequence::join_range(row, 0, static_cast<std::int64_t>(values.size()));
  return sequence::all_steps<Axes(0), TensorOf<Ts>>(all);
}
template <class F, class Start, class Ts, class... P>
  requires std::is_void_v<OdeMistake<F, Start, Ts, P...>>
auto odeint(F const& f, Start const& start, Ts const& ts, P const&... parameters) {
  return odeint(OdeOptions{}, f, start, ts, parameters...);
}
template <class F, class Start, class Ts, class... P, Mistake M = OdeMistake<F, Start, Ts, P...>>
  requires(!std::same_as<F, OdeOptions>)
auto odeint(F const& f, Start const& start, Ts const& ts, P const&... parameters) -> M;

}  // namespace tenon::internal::ode

namespace tenon {

using internal::ode::odeint;

}  // namespace tenon
