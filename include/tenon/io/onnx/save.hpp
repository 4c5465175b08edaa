#pragma once

#include <filesystem>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/trace.hpp>
#include <tenon/io/onnx/write.hpp>

namespace tenon::compile_error {

/// The operation, and why a type does not name the inputs of a function.
template <Spec Operation, Spec Reason>
struct inputs_are_not_named;

}  // namespace tenon::compile_error

namespace tenon::onnx {

/// How `onnx::save` writes a model: the version of ONNX's operators, from 17 on, and the bytes of
/// weights beyond which their elements are in a second file, `<name>.data`.
struct SaveOptions {
  std::int64_t opset = 18;
  std::uint64_t most_bytes_inside = internal::onnx::WriteOptions{}.most_bytes_inside;
};

}  // namespace tenon::onnx

namespace tenon::internal::onnx {

using tenon::onnx::SaveOptions;

/// A plain struct whose fields name the inputs.
template <class Inputs>
concept NamedInputs =
    tree::is_well_formed<tree::Stored, Inputs>() &&
    tree::node_of<tree::Stored, Inputs> == tree::Node::record && !tree::is_tuple<Inputs>;

/// Writes the program of a function and the names of its results.
void write_program(std::filesystem::path const& path, std::vector<TracedProgram> const& traces,
                   InputAxes const& axes, std::vector<std::string> const& results,
                   SaveOptions const& options);

/// Saves a function as an ONNX file that ONNX Runtime and others run. `inputs` is a plain struct of
/// tensors: its fields are the names of the model's inputs, and `f` is called with the fields in
/// order, or with the struct; the result is a tensor ("output") or a struct of named tensors. The
/// tensors of `f`, a model, become initialisers named by their paths; whatever else `f` refers to
/// becomes a constant. Run-time axes stay run-time sizes with their names, for all sizes: `f` is
/// called for a few of them, with elements of `inputs`. Throws `Error` where an operation has no
/// form in ONNX, or depends on the values of inputs, and `FileError`. PyTorch: `torch.onnx.export`.
template <class F, class Inputs>
  requires NamedInputs<Inputs>
void save(std::filesystem::path const& path, F const& f, Inputs const& inputs,
          SaveOptions const& options = {}) {
  InputAxes axes{};
  tree::for_each<tree::Stored>(
      [&]<class E>(tree::Path const& at, E const& leaf) {
        axes.add(value_name(at, "input"), E::shape, leaf.sizes());
      },
      inputs);
  std::vector<std::string> results;
  auto const run = [&](std::size_t trace) { return traced(f, inputs, axes, trace, results); };
  auto const traces = at_all_sizes(axes, run);
  write_program(path, traces, axes, results, options);
}
template <class F, class Inputs>
  requires(!NamedInputs<Inputs>)
auto save(std::filesystem::path const&, F const&, Inputs const&, SaveOptions const& = {})
    -> error::inputs_are_not_named<"onnx::save", "expected a plain struct">;

}  // namespace tenon::internal::onnx

namespace tenon::onnx {

using internal::onnx::save;

}  // namespace tenon::onnx

#if TENON_DEFINES_RUNTIME

#include <tenon/core/error.hpp>
#include <tenon/io/onnx/check.hpp>
#include <tenon/io/onnx/export/lowering.hpp>

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

/// Throws for a complex input or result: few operators are defined for them.
inline void check_are_real(std::vector<ValueInfo> const& values) {
  for (ValueInfo const& value : values)
    if (value.dtype == DataType::complex64 || value.dtype == DataType::complex128)
      fail({"onnx::save", value.name, "real numbers, as two parts", "complex ones", {}});
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
  saving::check_are_real(model.graph.inputs), saving::check_are_real(model.graph.outputs);
  model.opset_imports.push_back({"", options.opset});
  for (std::string const& domain : lowering.domains) model.opset_imports.push_back({domain, 1});
  check(model, path.string());
  write(model, path, {options.most_bytes_inside});
}

}  // namespace tenon::internal::onnx

#endif
