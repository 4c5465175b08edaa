#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/call.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/io/onnx/export/symbolic.hpp>
#include <tenon/io/onnx/initializer.hpp>
#include <tenon/tensor/host_elements.hpp>
#include <tenon/tree/tree.hpp>

/// A function of a struct of tensors, traced at several sizes.
namespace tenon::internal::onnx {

/// The run-time axes of the inputs, with the bounds that their types declare.
struct InputAxes {
  std::vector<RunTimeAxis> axes{};
  std::vector<std::pair<std::int64_t, std::int64_t>> bounds{};

  /// Throws `ShapeError` where two axes of one name differ in size.
  void add(std::string const& input, Shape const& shape, Sizes const& sizes);
  /// The names of the axes of an input; empty for a static one.
  std::vector<std::string> names(std::string const& input, Shape const& shape) const;
  std::int64_t size(std::string const& name, std::size_t trace) const;
};

template <class F, class... Field>
constexpr bool takes_fields(std::tuple<Field&...>*) {
  return CallableWith<F const&, Field const&...>;
}

/// `f` at a struct of inputs: of the fields in order, or of the struct.
template <class F, class Inputs>
auto call(F const& f, Inputs const& inputs) {
  using Fields = tree::Parts<Inputs const>;
  if constexpr (takes_fields<F>(static_cast<Fields*>(nullptr)))
    return std::apply([&](auto const&... x) { return as_value(f(x...)); }, tree::parts(inputs));
  else return as_value(f(inputs));
}

/// A tensor of other sizes, with the elements of `from`, repeated and shifted by `trace` places.
template <TensorType E>
E resized(E const& from, Sizes const& sizes, std::int64_t trace) {
  using T = typename E::value_type;
  E result = E::uninitialised(sizes);
  auto const elements = host_elements(from);
  result.set_elements([&](T* to) {
    for (std::int64_t i = 0; i < result.size(); ++i) {
      to[i] = elements[(i + trace) % from.size()];
      if constexpr (std::floating_point<T>) to[i] += static_cast<T>(trace) / T(8);
    }
  });
  return result;
}

/// The name of a leaf of the inputs or the results.
inline std::string value_name(tree::Path const& path, std::string const& whole) {
  std::string const name = path.text();
  if (name.empty()) return whole;
  return name[0] >= '0' && name[0] <= '9' ? whole + '_' + name : name;
}

/// A model whose tensors are the weights of a program, with their elements in the first trace. Its
/// numbers, constants of the program, are weights too: so `load` reads the whole model.
template <class F>
F with_weights(F model, Recorder& recorder, std::size_t trace) {
  if constexpr (tree::is_well_formed<tree::Stored, F>()) {
    tree::for_each<tree::Stored>(
        [&]<class E>(tree::Path const& path, E& leaf) {
          if constexpr (safetensors::is_storable<E>) {
            using Form = safetensors::Form<E>;
            Step step{StepKind::weight,
                      path.text(),
                      nullptr,
                      dtype_name<StoredAs<typename Form::Element>>,
                      Form::shape().rank,
                      Form::sizes(leaf)};
            if (trace == 0) step.elements = bytes_of(leaf);
            [[maybe_unused]] TapeMark const mark = recorder.leaf(std::move(step));
            if constexpr (TensorType<E>) leaf.set_mark(mark);
          }
        },
        model);
  }
  return model;
}

/// The inputs of a trace, entered into its program.
template <class Inputs>
Inputs entered(Inputs inputs, InputAxes const& axes, std::size_t trace, Recorder& recorder) {
  tree::for_each<tree::Stored>(
      [&]<class E>(tree::Path const& path, E& leaf) {
        std::string const name = value_name(path, "input");
        Step step{StepKind::input, name,        nullptr, dtype_name<typename E::value_type>,
                  E::rank,         leaf.sizes()};
        step.axes = axes.names(name, E::shape);
        for (int i = 0; i < E::rank; ++i)
          if (std::string const& axis = step.axes[static_cast<std::size_t>(i)]; !axis.empty())
            at(step.sizes, i) = axes.size(axis, trace);
        leaf = resized(leaf, step.sizes, static_cast<std::int64_t>(trace));
        leaf.set_mark(recorder.leaf(std::move(step)));
      },
      inputs);
  return inputs;
}

/// One trace; the names of the results are stored to `names`.
template <class F, class Inputs>
TracedProgram traced(F const& f, Inputs const& inputs, InputAxes const& axes, std::size_t trace,
                     std::vector<std::string>& names) {
  Recorder recorder;
  auto const own = entered(inputs, axes, trace, recorder);
  auto const results = call(with_weights(f, recorder, trace), own);
  TracedProgram program{};
  names.clear();
  tree::for_each<tree::Stored>(
      [&]<class E>(tree::Path const& path, E const& leaf) {
        names.push_back(value_name(path, "output"));
        program.results.push_back(recorder.id_of(tracing::node_of(leaf)));
      },
      results);
  program.steps = std::move(recorder.program);
  return program;
}

/// `run(trace)` for all traces, in order, at sizes that it accepts: the given ones, each axis alone
/// far above and far below, and all axes together. An axis for which it accepts no other size keeps
/// its own.
std::vector<TracedProgram> at_all_sizes(InputAxes& axes,
                                        std::function<TracedProgram(std::size_t)> const& run);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/export/trace.ipp>
#endif
