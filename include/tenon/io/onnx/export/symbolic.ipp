#pragma once

#include <cmath>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/onnx/export/symbolic.hpp>

namespace tenon::internal::onnx {

namespace programs {

/// The name of a step in messages.
inline std::string described(Step const& step) {
  if (step.kind == StepKind::constant) return "a constant";
  if (step.kind == StepKind::node) return "'" + std::string(step.type->name) + "'";
  return step.kind == StepKind::reshape ? "'reshape'" : "'" + step.name + "'";
}

[[noreturn]] inline void fail(std::string const& expected, std::string const& got) {
  throw Error("tenon::onnx::save: expected " + expected + ", got " + got);
}

inline void check_same(Step const& a, Step const& b) {
  if (same_operation(a, b)) return;
  if (a.kind == StepKind::constant && b.kind == StepKind::constant)
    fail("a constant that is the same for all inputs",
         std::string(a.dtype) +
             " elements that depend on the input or its sizes: compute them by functions of "
             "tensors");
  fail("the same operations for all inputs and sizes",
       described(a) + " for some and " + described(b) + " for others");
}

/// The numbers at one place of all traces, as an expression.
template <class Number>
Extent extent_of(std::vector<TracedProgram> const& traces, std::span<RunTimeAxis const> axes,
                 Step const& step, Number const& number,
                 std::span<std::string_view const> expressions) {
  std::vector<std::int64_t> values;
  values.reserve(traces.size());
  for (TracedProgram const& trace : traces) values.push_back(number(trace.steps));
  auto const extent = fitted(values, axes, expressions);
  if (!extent)
    fail("sizes that are linear functions or products of the sizes of inputs",
         std::to_string(values[0]) + " in " + described(step) + ", which is neither");
  return *extent;
}

/// A constant node whose number depends on sizes: it is one, or its reciprocal.
inline void add_size(SymbolicStep& step, std::vector<TracedProgram> const& traces,
                     std::span<RunTimeAxis const> axes, std::size_t place) {
  std::vector<std::int64_t> sizes, inverses;
  bool differs = false, is_size = true, is_inverse = true;
  for (TracedProgram const& trace : traces) {
    double const number = trace.steps[place].number(), inverse = 1 / number;
    differs = differs || trace.steps[place].value != step.value;
    sizes.push_back(std::abs(number) < 1e15 ? std::llround(number) : 0);
    inverses.push_back(std::abs(inverse) < 1e15 ? std::llround(inverse) : 0);
    is_size = is_size && static_cast<double>(sizes.back()) == number;
    is_inverse = is_inverse && std::abs(static_cast<double>(inverses.back()) * number - 1) < 1e-7;
  }
  if (!differs) return;
  step.is_reciprocal = !is_size;
  if (is_size || is_inverse) step.size = fitted(is_size ? sizes : inverses, axes);
  if (!step.size)
    fail("numbers that are sizes of inputs or their reciprocals",
         "one that depends on them in another way");
}

/// The expressions of the axes that views and contractions compute.
inline std::vector<std::string_view> expressions_in(Program const& program) {
  std::vector<std::string_view> expressions;
  for (Step const& step : program) {
    if (step.type == nullptr || step.type->shape == nullptr) continue;
    for (Axis const& axis : *step.type->shape)
      if (!axis.expression.empty()) expressions.push_back(axis.expression.view());
  }
  return expressions;
}

inline SymbolicStep step_at(std::vector<TracedProgram> const& traces,
                            std::span<RunTimeAxis const> axes,
                            std::span<std::string_view const> expressions, std::size_t place) {
  SymbolicStep step{traces[0].steps[place], {}, {}};
  for (TracedProgram const& trace : traces) check_same(step, trace.steps[place]);
  for (int i = 0; i < step.rank; ++i) {
    auto const size = [&](Program const& steps) { return at(steps[place].sizes, i); };
    step.extents.push_back(extent_of(traces, axes, step, size, expressions));
  }
  for (std::size_t i = 0; i < step.numbers.size(); ++i) {
    auto const number = [&](Program const& steps) { return steps[place].numbers.at(i); };
    step.values.push_back(extent_of(traces, axes, step, number, expressions));
  }
  if (step.is(NodeKind::constant)) add_size(step, traces, axes, place);
  return step;
}

}  // namespace programs

TENON_RUNTIME SymbolicProgram symbolic(std::vector<TracedProgram> const& traces,
                                       std::vector<RunTimeAxis> axes) {
  SymbolicProgram program{{}, traces[0].results, std::move(axes)};
  for (TracedProgram const& trace : traces) {
    if (trace.steps.size() != traces[0].steps.size() || trace.results != program.results)
      programs::fail("the same operations for all inputs and sizes",
                     std::to_string(traces[0].steps.size()) + " operations for some and " +
                         std::to_string(trace.steps.size()) + " for others");
  }
  auto const expressions = programs::expressions_in(traces[0].steps);
  for (std::size_t place = 0; place < traces[0].steps.size(); ++place)
    program.steps.push_back(programs::step_at(traces, program.axes, expressions, place));
  return program;
}

}  // namespace tenon::internal::onnx
