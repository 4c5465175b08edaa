#pragma once

#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/core/rules/convolution.hpp>
#include <tenon/io/onnx/export/merged.hpp>

namespace tenon::internal::onnx {

/// A step whose sizes and numbers are expressions in the sizes of the inputs.
struct SymbolicStep : Step {
  std::vector<Extent> extents;
  std::vector<Extent> values;    ///< Of `numbers`.
  std::optional<Extent> size{};  ///< Of a constant node that depends on sizes.
  bool is_root = false;          ///< The constant is sqrt(`size`).
  bool is_reciprocal = false;    ///< The constant is 1 / `size`, or 1 / sqrt(`size`).
};

/// A function for all sizes of its inputs.
struct SymbolicProgram {
  std::vector<SymbolicStep> steps;
  std::vector<Id> results;
  std::vector<RunTimeAxis> axes;
};

/// The function that has these traces. Throws `Error` where its operations depend on the sizes or
/// the values of inputs in another way than by expressions in sizes.
SymbolicProgram symbolic(std::vector<TracedProgram> const& traces, std::vector<RunTimeAxis> axes);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <cmath>
#include <sstream>

namespace tenon::internal::onnx {

namespace programs {

/// The size of axis k of a strided view whose elements reach the end of the axes along which it
/// walks; empty where the view is another.
inline std::string walked_size(SymbolicStep const& step, SymbolicStep const& from, int k,
                               std::span<RunTimeAxis const> axes) {
  std::string text;
  auto const rank = static_cast<std::size_t>(from.rank);
  for (std::size_t i = 0; i < rank; ++i) {
    auto const along = [&](int axis) -> Extent const& {
      return step.values[rank * (static_cast<std::size_t>(axis) + 1) + i];
    };
    std::int64_t const by = along(k).constant;
    if (along(k).is(0)) continue;
    std::int64_t before = step.values[i].constant;
    for (int other = 0; other < step.rank; ++other)
      if (other != k) before += along(other).constant * (at(step.sizes, other) - 1);
    if (by < 1) return {};
    std::string const size = "(" + grouped(from.extents[i].text(axes)) + "-" +
                             std::to_string(before + 1) + ")//" + std::to_string(by) + "+1";
    text = text.empty() ? size : "min(" + text + "," + size + ")";
  }
  return text;
}

/// The size of axis k of a call of pooling; empty where it is not pooled.
inline std::string pooled_size(SymbolicStep const& step, SymbolicStep const& from, int k,
                               std::span<RunTimeAxis const> axes) {
  auto const& n = step.numbers;  // of each axis: itself, window, stride, padding, dilation, mode
  std::size_t i = 0;
  while (i < n.size() && n[i] != k) i += 6;
  if (i == n.size()) return {};
  Sliding const sliding{n[i + 2], n[i + 3], n[i + 4]};
  std::int64_t const added = 2 * sliding.padding - sliding.reach(n[i + 1]);
  return "(" + grouped(from.extents[static_cast<std::size_t>(k)].text(axes)) +
         (added < 0 ? "-" : "+") + std::to_string(std::abs(added)) + ")//" +
         std::to_string(sliding.stride) + "+1";
}

/// Makes the steps of a program from those of its traces.
struct Symbols {
  std::vector<TracedProgram> const& traces;
  SymbolicProgram& program;
  KnownExpressions known;

  /// The names of axes, and the expressions that types declare.
  void add_expressions_of_types() {
    for (RunTimeAxis const& axis : program.axes) known.add(axis.name);
    for (Step const& step : traces[0].steps) {
      if (step.type == nullptr || step.type->shape == nullptr) continue;
      for (Axis const& axis : *step.type->shape)
        if (axis.is_computed()) known.add(std::string(axis.expression.view()));
    }
  }

  /// The numbers at one place of all traces, as an expression.
  template <class Number>
  Extent extent_of(Step const& step, Number const& number,
                   std::vector<std::string> const& own = {}) {
    std::vector<std::int64_t> values;
    values.reserve(traces.size());
    for (TracedProgram const& trace : traces) values.push_back(number(trace.steps));
    auto const extent = fitted(values, known, own);
    if (extent && !extent->is_constant()) known.add(extent->text(program.axes));
    if (extent) return *extent;
    std::size_t const other = other_trace(values);
    fail_save("sizes that are expressions in the sizes of inputs",
              std::to_string(values[0]) + sizes_in(0, program.axes, other) + " and " +
                  std::to_string(values[other]) + sizes_in(other, program.axes, other) + " in " +
                  described(step));
  }

  /// The first trace with another value.
  template <class Values>
  static std::size_t other_trace(Values const& values) {
    std::size_t other = 1;
    while (other + 1 < values.size() && values[other] == values[0]) ++other;
    return other;
  }

  /// What the size of axis i of a view or of pooling is expected to be.
  std::vector<std::string> expected_sizes(SymbolicStep const& step, int i) {
    std::vector<std::string> sizes;
    if (is_pooling(step)) {
      sizes.push_back(pooled_size(step, program.steps[step.operands[0]], i, program.axes));
      known.add(sizes.back());
    }
    if (!step.is(NodeKind::step) && !step.is(NodeKind::index_map)) return sizes;
    if (Shape const* const shape = step.type->shape; shape && (*shape)[i].is_computed())
      sizes.emplace_back((*shape)[i].expression.view());
    if (step.is(NodeKind::step))
      sizes.push_back(walked_size(step, program.steps[step.operands[0]], i, program.axes));
    if (!sizes.empty()) known.add(sizes.back());
    return sizes;
  }

  /// The number of elements that one of a reduction consists of: a mean divides by it.
  void add_count(SymbolicStep const& step) {
    SymbolicStep const& from = program.steps[step.operands[0]];
    std::string text;
    for (int i = 0; i < from.rank; ++i)
      if (has_axis(step.type->axes, i))
        text += (text.empty() ? "" : "*") +
                grouped(from.extents[static_cast<std::size_t>(i)].text(program.axes));
    known.add(text);
  }

  void add(std::size_t place) {
    SymbolicStep step{traces[0].steps[place], {}, {}};
    for (std::size_t i = 0; i < step.numbers.size(); ++i)
      step.values.push_back(
          extent_of(step, [&](Program const& steps) { return steps[place].numbers.at(i); }));
    for (int i = 0; i < step.rank; ++i) {
      auto const size = [&](Program const& steps) { return at(steps[place].sizes, i); };
      step.extents.push_back(extent_of(step, size, expected_sizes(step, i)));
    }
    if (step.is(NodeKind::reduction)) add_count(step);
    program.steps.push_back(std::move(step));
  }

  /// The operation that has step `id` as an operand.
  std::string user_of(std::size_t id) const {
    for (SymbolicStep const& step : program.steps)
      if (std::ranges::find(step.operands, static_cast<Id>(id)) != step.operands.end())
        return described(step);
    return "the result";
  }

  /// The expression of which the numbers of a constant node are the `power`; none where they are
  /// those of no expression.
  std::optional<Extent> size_of(std::vector<double> const& numbers, double power) const {
    std::vector<std::int64_t> sizes;
    for (double const number : numbers) {
      double const size = std::pow(number, 1 / power), whole = std::round(size);
      double const tolerance = power == 1 ? 0 : 1e-6 * whole;
      if (!(number > 0 || power == 1) || !(std::abs(whole) < 1e15)) return {};
      if (!(std::abs(size - whole) <= tolerance)) return {};
      sizes.push_back(static_cast<std::int64_t>(whole));
    }
    return fitted(sizes, known);
  }

  /// A constant node whose number depends on sizes.
  void set_size(std::size_t place) {
    SymbolicStep& step = program.steps[place];
    std::vector<double> numbers;
    bool differs = false;
    for (TracedProgram const& trace : traces) {
      numbers.push_back(trace.steps[place].number());
      differs = differs || trace.steps[place].value != step.value;
    }
    if (!differs) return;
    for (double const power : {1.0, -1.0, 0.5, -0.5}) {
      if (power != 1 && !step.dtype.starts_with("float")) continue;
      step.size = size_of(numbers, power);
      step.is_reciprocal = power < 0, step.is_root = std::abs(power) < 1;
      if (step.size) return;
    }
    refuse(place, numbers);
  }

  [[noreturn]] void refuse(std::size_t place, std::vector<double> const& numbers) const {
    std::size_t const other = other_trace(numbers);
    std::ostringstream text;
    text << numbers[0] << sizes_in(0, program.axes, other) << " and " << numbers[other]
         << sizes_in(other, program.axes, other) << " in " << user_of(place);
    fail_save("numbers that are sizes of inputs, their roots or their reciprocals", text.str());
  }
};

}  // namespace programs

TENON_RUNTIME SymbolicProgram symbolic(std::vector<TracedProgram> const& traces,
                                       std::vector<RunTimeAxis> axes) {
  auto const distinct = merged(traces, axes);
  SymbolicProgram program{{}, distinct[0].results, std::move(axes)};
  programs::Symbols symbols{distinct, program, {program.axes}};
  symbols.add_expressions_of_types();
  std::size_t const count = distinct[0].steps.size();
  for (std::size_t place = 0; place < count; ++place) symbols.add(place);
  for (std::size_t place = 0; place < count; ++place)
    if (program.steps[place].is(NodeKind::constant)) symbols.set_size(place);
  return program;
}

}  // namespace tenon::internal::onnx

#endif
