#pragma once

#include <span>
#include <string>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/extent.hpp>
#include <tenon/io/onnx/export/program.hpp>

/// Traces of one function at several sizes, compared with each other.
namespace tenon::internal::onnx {

/// One trace of a function: its steps, and those of its results.
struct TracedProgram {
  Program steps;
  std::vector<Id> results;
};

/// The traces without the operations that are equal to earlier ones in all of them. Throws `Error`
/// where they do not consist of the same operations.
std::vector<TracedProgram> merged(std::vector<TracedProgram> const& traces,
                                  std::span<RunTimeAxis const> axes);

/// The name of a step in messages.
std::string described(Step const& step);

/// The sizes in a trace that differ between the first one and `other`: ` at t=41`.
std::string sizes_in(std::size_t trace, std::span<RunTimeAxis const> axes, std::size_t other);

/// Throws `Error`: `tenon::onnx::save: expected ..., got ...`.
[[noreturn]] void fail_save(std::string const& expected, std::string const& got);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <unordered_map>

#include <tenon/core/error.hpp>

namespace tenon::internal::onnx {

TENON_RUNTIME std::string described(Step const& step) {
  if (step.kind == StepKind::constant) return "a constant";
  if (step.kind == StepKind::node) return "'" + std::string(step.type->name) + "'";
  return step.kind == StepKind::reshape ? "'reshape'" : "'" + step.name + "'";
}

[[noreturn]] TENON_RUNTIME void fail_save(std::string const& expected, std::string const& got) {
  throw Error("tenon::onnx::save: expected " + expected + ", got " + got);
}

TENON_RUNTIME std::string sizes_in(std::size_t trace, std::span<RunTimeAxis const> axes,
                                   std::size_t other) {
  std::string text;
  for (RunTimeAxis const& axis : axes)
    if (axis.sizes[other] != axis.sizes[0])
      text += (text.empty() ? " at " : " ") + axis.name + "=" + std::to_string(axis.sizes[trace]);
  return text;
}

namespace merging {

inline void check_same(std::vector<TracedProgram> const& traces, std::span<RunTimeAxis const> axes,
                       std::size_t place, std::size_t trace) {
  Step const &a = traces[0].steps[place], &b = traces[trace].steps[place];
  if (same_operation(a, b)) return;
  if (a.kind == StepKind::constant && b.kind == StepKind::constant)
    fail_save("a constant that is the same for all inputs",
              std::string(a.dtype) +
                  " elements that depend on the input or its sizes: compute them by functions of "
                  "tensors");
  fail_save("the same operations for all inputs and sizes",
            described(a) + sizes_in(0, axes, trace) + " and " + described(b) +
                sizes_in(trace, axes, trace));
}

inline void check_all(std::vector<TracedProgram> const& traces, std::span<RunTimeAxis const> axes) {
  std::size_t const count = traces[0].steps.size();
  for (std::size_t trace = 0; trace < traces.size(); ++trace) {
    std::size_t const here = traces[trace].steps.size();
    for (std::size_t place = 0; place < (std::min)(count, here); ++place)
      check_same(traces, axes, place, trace);
    if (here != count || traces[trace].results != traces[0].results)
      fail_save("the same operations for all inputs and sizes",
                std::to_string(count) + " operations" + sizes_in(0, axes, trace) + " and " +
                    std::to_string(here) + sizes_in(trace, axes, trace));
  }
}

inline std::size_t hash_of(Step const& step) {
  std::size_t hash = static_cast<std::size_t>(step.kind);
  auto const mix = [&](std::size_t more) { hash = hash * 1000003u ^ more; };
  mix(std::hash<void const*>()(step.type));
  mix(std::hash<std::string>()(step.name));
  for (Id const id : step.operands) mix(id);
  for (std::int64_t const number : step.numbers) mix(static_cast<std::size_t>(number));
  for (std::byte const byte : step.value) mix(static_cast<std::size_t>(byte));
  return hash;
}

inline bool equal(Step const& a, Step const& b) {
  return same_operation(a, b) && a.value == b.value && a.sizes == b.sizes && a.numbers == b.numbers;
}

/// Steps of several traces, each entered once.
struct MergedTraces {
  std::vector<TracedProgram> traces;
  std::vector<Id> places{};  ///< Of each step that was added.
  std::unordered_multimap<std::size_t, Id> known{};

  /// The step that is equal to the last one in all traces; the last one itself where there is none.
  Id last_place() {
    Id const last = static_cast<Id>(traces[0].steps.size() - 1);
    std::size_t const hash = hash_of(traces[0].steps[last]);
    auto const [begin, end] = known.equal_range(hash);
    for (auto place = begin; place != end; ++place)
      if (std::ranges::all_of(traces, [&](TracedProgram const& trace) {
            return equal(trace.steps[place->second], trace.steps[last]);
          }))
        return place->second;
    known.emplace(hash, last);
    return last;
  }

  void add(std::vector<TracedProgram> const& from, std::size_t place) {
    for (std::size_t trace = 0; trace < from.size(); ++trace) {
      traces[trace].steps.push_back(from[trace].steps[place]);
      for (Id& id : traces[trace].steps.back().operands) id = places[id];
    }
    places.push_back(last_place());
    if (places.back() + 1 == traces[0].steps.size()) return;
    for (TracedProgram& trace : traces) trace.steps.pop_back();
  }
};

}  // namespace merging

TENON_RUNTIME std::vector<TracedProgram> merged(std::vector<TracedProgram> const& traces,
                                                std::span<RunTimeAxis const> axes) {
  merging::check_all(traces, axes);
  merging::MergedTraces merged{std::vector<TracedProgram>(traces.size())};
  for (std::size_t place = 0; place < traces[0].steps.size(); ++place) merged.add(traces, place);
  for (Id const id : traces[0].results) merged.traces[0].results.push_back(merged.places[id]);
  return std::move(merged.traces);
}

}  // namespace tenon::internal::onnx

#endif
