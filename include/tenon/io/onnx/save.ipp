#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/onnx/check.hpp>
#include <tenon/io/onnx/save.hpp>

namespace tenon::internal::onnx {

namespace saving {

inline std::string version_text() {
  int const version = TENON_VERSION;
  return std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' +
         std::to_string(version % 100);
}

/// The bounds of run-time axes: `1..64`.
inline void add_bounds(Properties& metadata, InputAxes const& axes) {
  for (std::size_t k = 0; k < axes.axes.size(); ++k) {
    auto const [lower, upper] = axes.bounds[k];
    if (lower == 0 && upper == unbounded) continue;
    metadata["tenon.bounds." + axes.axes[k].name] =
        std::to_string(lower) + ".." + (upper == unbounded ? "" : std::to_string(upper));
  }
}

/// Throws where an input, a weight and a result have one name.
inline void check_names(Graph const& graph) {
  std::set<std::string> names;
  auto const enter = [&](std::string const& name) {
    if (!names.insert(name).second)
      throw Error(
          "tenon::onnx::save: expected distinct names of inputs, weights and results, got '" +
          name + "' twice");
  };
  for (ValueInfo const& value : graph.inputs) enter(value.name);
  for (ValueInfo const& value : graph.outputs) enter(value.name);
  for (TensorData const& value : graph.initializers) enter(value.name);
}

/// The version of the format in which a version of the operators appeared.
inline std::int64_t ir_version_for(std::int64_t opset) {
  return opset < 19 ? 8 : opset < 21 ? 9 : opset < 23 ? 10 : 11;
}

}  // namespace saving

TENON_RUNTIME void write_program(std::filesystem::path const& path,
                                 std::vector<TracedProgram> const& traces, InputAxes const& axes,
                                 std::vector<std::string> const& results,
                                 SaveOptions const& options) {
  if (options.opset < 17)
    throw ValueError("tenon::onnx::save: expected opset 17 or newer, got " +
                     std::to_string(options.opset));
  Model model{};
  model.ir_version = saving::ir_version_for(options.opset);
  model.producer_name = "tenon", model.producer_version = saving::version_text();
  model.graph.name = "main";
  saving::add_bounds(model.metadata, axes);
  SymbolicProgram const program = symbolic(traces, axes.axes);
  Lowering lowering(program, model.graph, options.opset);
  lowering.run(results);
  saving::check_names(model.graph);
  model.opset_imports.push_back({"", options.opset});
  for (std::string const& domain : lowering.domains) model.opset_imports.push_back({domain, 1});
  check(model, path.string());
  write(model, path, {options.most_bytes_inside});
}

}  // namespace tenon::internal::onnx
