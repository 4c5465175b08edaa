#pragma once

#include <filesystem>

#include <tenon/io/onnx/export/lowering.hpp>
#include <tenon/io/onnx/export/trace.hpp>
#include <tenon/io/onnx/write.hpp>

namespace tenon::error {

/// The operation, and why a type does not name the inputs of a function.
template <Spec Operation, Spec Reason>
struct inputs_are_not_named;

}  // namespace tenon::error

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
#include <tenon/io/onnx/save.ipp>
#endif
