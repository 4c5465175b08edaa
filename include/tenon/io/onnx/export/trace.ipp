#pragma once

#include <algorithm>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/onnx/export/trace.hpp>

namespace tenon::internal::onnx {

namespace traces {

inline std::string axis_name(std::string const& input, Shape const& shape, int i) {
  if (shape[i].is_static()) return {};
  if (shape[i].is_named()) return std::string(shape[i].name.view());
  return input + "_axis" + std::to_string(i);
}

inline RunTimeAxis* find(std::vector<RunTimeAxis>& axes, std::string const& name) {
  auto const place = std::ranges::find(axes, name, &RunTimeAxis::name);
  return place == axes.end() ? nullptr : &*place;
}

/// Tries sizes of one trace: `change(axis)` is what is added to those of trace 0.
template <class Change>
TracedProgram tried(InputAxes& axes, std::size_t trace, Change const& change,
                    std::function<TracedProgram(std::size_t)> const& run) {
  for (std::size_t k = 0; k < axes.axes.size(); ++k) {
    auto const [lower, upper] = axes.bounds[k];
    auto const size = axes.axes[k].sizes[0] + change(k);
    axes.axes[k].sizes[trace] = std::clamp(size, std::max<std::int64_t>(1, lower), upper);
  }
  return run(trace);
}

/// The first of two changes that the function accepts.
template <class First, class Second>
TracedProgram tried(InputAxes& axes, std::size_t trace, First const& first, Second const& second,
                    std::function<TracedProgram(std::size_t)> const& run) {
  try {
    return tried(axes, trace, first, run);
  } catch (Error const&) {
    return tried(axes, trace, second, run);
  }
}

}  // namespace traces

TENON_RUNTIME void InputAxes::add(std::string const& input, Shape const& shape,
                                  Sizes const& sizes) {
  for (int i = 0; i < shape.rank; ++i) {
    if (shape[i].is_static()) continue;
    std::string const name = traces::axis_name(input, shape, i);
    std::int64_t const size = internal::at(sizes, i);
    if (size < 1)
      throw ShapeError("tenon::onnx::save: '" + input + "': expected at least one element along '" +
                       name + "', got none");
    if (RunTimeAxis const* const known = traces::find(axes, name)) {
      if (known->sizes[0] == size) continue;
      throw ShapeError("tenon::onnx::save: '" + input + "': expected '" + name + "' of size " +
                       std::to_string(known->sizes[0]) + ", as in another input, got " +
                       std::to_string(size));
    }
    axes.push_back({name, {size}});
    bounds.emplace_back(shape[i].lower, shape[i].upper);
  }
}

TENON_RUNTIME std::vector<std::string> InputAxes::names(std::string const& input,
                                                        Shape const& shape) const {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(shape.rank));
  for (int i = 0; i < shape.rank; ++i) names.push_back(traces::axis_name(input, shape, i));
  return names;
}

TENON_RUNTIME std::int64_t InputAxes::size(std::string const& name, std::size_t trace) const {
  return std::ranges::find(axes, name, &RunTimeAxis::name)->sizes[trace];
}

TENON_RUNTIME std::vector<TracedProgram> at_all_sizes(
    InputAxes& axes, std::function<TracedProgram(std::size_t)> const& run) {
  std::size_t const count = axes.axes.size();
  for (RunTimeAxis& axis : axes.axes) axis.sizes.resize(count + 2, axis.sizes[0]);
  auto const none = [](std::size_t) { return std::int64_t{0}; };
  std::vector<TracedProgram> programs;
  for (RunTimeAxis& axis : axes.axes) axis.sizes[0] += axis.sizes[0] < 3 ? 2 : 0;
  auto const given = [&](std::size_t k) { return axes.axes[k].sizes[1] - axes.axes[k].sizes[0]; };
  programs.push_back(traces::tried(axes, 0, none, given, run));
  std::vector<std::int64_t> ways(count, 1);
  for (std::size_t k = 0; k < count; ++k) {
    auto const more = [&](std::size_t i) { return std::int64_t{i == k}; };
    auto const less = [&](std::size_t i) { return -std::int64_t{i == k}; };
    programs.push_back(traces::tried(axes, k + 1, more, less, run));
    ways[k] = axes.axes[k].sizes[k + 1] - axes.axes[k].sizes[0];
  }
  auto const twice = [&](std::size_t k) { return 2 * ways[k]; };
  auto const once = [&](std::size_t k) { return ways[k]; };
  programs.push_back(traces::tried(axes, count + 1, twice, once, run));
  return programs;
}

}  // namespace tenon::internal::onnx
