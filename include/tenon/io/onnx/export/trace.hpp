#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/call.hpp>
#include <tenon/core/config.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/io/onnx/export/merged.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/safetensors/leaf.hpp>
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
constexpr bool takes_fields(tree::FieldReferences<Field&...>*) {
  return CallableWith<F const&, Field const&...>;
}

/// `f` at a struct of inputs: of the fields in order, or of the struct.
template <class F, class Inputs>
auto call(F const& f, Inputs const& inputs) {
  using Fields = tree::Parts<Inputs const>;
  if constexpr (takes_fields<F>(static_cast<Fields*>(nullptr)))
    return tree::apply([&](auto const&... x) { return as_value(f(x...)); }, tree::parts(inputs));
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
std::string value_name(tree::Path const& path, std::string const& whole);

/// The elements of a leaf, which are kept in memory: those of a tensor on the host are shared with
/// it, those on a device are copied.
template <class Leaf>
Bytes bytes_of(Leaf const& leaf) {
  auto const owner = std::make_shared<Leaf const>(leaf);
  void const* const data = safetensors::Form<Leaf>::data(*owner);
  std::size_t const size = safetensors::bytes_in_file(*owner);
  constexpr auto bring = safetensors::bringer_of<Leaf>();
  if constexpr (bring == nullptr) {
    return {{static_cast<std::byte const*>(data), size}, owner};
  } else {
    auto const copy = std::make_shared<std::vector<std::byte>>(size);
    if (size > 0) bring(copy->data(), data, size);
    return {*copy, copy};
  }
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
                      dtype_name<safetensors::StoredWithComplex128<typename Form::Element>>,
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
        program.results.push_back(recorder.id_of(node_of(leaf)));
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

#include <algorithm>
#include <exception>

#include <tenon/core/error.hpp>

namespace tenon::internal::onnx {

TENON_RUNTIME std::string value_name(tree::Path const& path, std::string const& whole) {
  std::string const name = path.text();
  if (name.empty()) return whole;
  return name[0] >= '0' && name[0] <= '9' ? whole + '_' + name : name;
}

namespace traces {

inline std::string axis_name(std::string const& input, Shape const& shape, int i) {
  if (shape[i].is_static()) return {};
  if (shape[i].is_bare()) return std::string(shape[i].name.view());
  return input + "_axis" + std::to_string(i);
}

inline RunTimeAxis* find(std::vector<RunTimeAxis>& axes, std::string const& name) {
  auto const place = std::ranges::find(axes, name, &RunTimeAxis::name);
  return place == axes.end() ? nullptr : &*place;
}

/// The traces of a function, at sizes that it accepts.
struct Tracer {
  using Sizes = std::vector<std::int64_t>;

  InputAxes& inputs;
  std::function<TracedProgram(std::size_t)> const& run;
  std::vector<TracedProgram> programs{};
  std::vector<Sizes> others{};  ///< Of each axis, the sizes of the traces that change it alone.

  std::size_t count() const { return inputs.axes.size(); }

  std::int64_t clamped(std::size_t k, std::int64_t size) const {
    auto const [lower, upper] = inputs.bounds[k];
    return std::clamp(size, std::max<std::int64_t>(1, lower), upper);
  }

  Sizes first_sizes() const {
    Sizes sizes;
    for (RunTimeAxis const& axis : inputs.axes) sizes.push_back(axis.sizes[0]);
    return sizes;
  }

  void add(Sizes const& sizes) {
    std::size_t const trace = programs.size();
    for (std::size_t k = 0; k < count(); ++k) {
      inputs.axes[k].sizes.resize(trace);
      inputs.axes[k].sizes.push_back(sizes[k]);
    }
    programs.push_back(run(trace));
  }

  /// False where the function does not accept the sizes; what has no form in ONNX is an error.
  bool adds(Sizes const& sizes) {
    try {
      add(sizes);
      return true;
    } catch (std::exception const& error) {
      if (std::string_view(error.what()).starts_with("tenon::onnx::save: ")) throw;
      return false;
    }
  }

  /// At the given sizes, or at slightly larger ones: an axis of size 1 is no example of others.
  void add_first() {
    Sizes sizes = first_sizes();
    for (std::size_t k = 0; k < count(); ++k) {
      Sizes larger = sizes;
      larger[k] = clamped(k, sizes[k] < 3 ? sizes[k] + 2 : sizes[k]);
      if (larger[k] == sizes[k] || !adds(larger)) continue;
      sizes = larger;
      programs.clear();
    }
    add(sizes);
  }

  /// The first size that the function accepts for axis k alone.
  void add_other(std::size_t k, std::initializer_list<std::int64_t> candidates) {
    Sizes sizes = first_sizes();
    std::int64_t const before = sizes[k];
    for (std::int64_t const size : candidates) {
      sizes[k] = size;
      if (size == before || size != clamped(k, size) || !adds(sizes)) continue;
      others[k].push_back(size);
      return;
    }
  }

  /// Far above and far below the first size. A multiple of it is divisible by what divides it; one
  /// more is not.
  void add_others(std::size_t k) {
    std::int64_t const size = first_sizes()[k], far = size * (2 + least_distance / size);
    add_other(k, {clamped(k, far + 1), far, 2 * size + 1, 2 * size, size + 1});
    add_other(k, {clamped(k, 2), 3, 4, size / 2, size - 1});
  }
  static constexpr std::int64_t least_distance = 32;

  /// All axes at `size(k)`; where that is out of bounds, at the last size that was traced for the
  /// axis alone.
  template <class Size>
  Sizes all_at(Size const& size) const {
    Sizes sizes = first_sizes();
    for (std::size_t k = 0; k < count(); ++k) {
      if (others[k].empty()) continue;
      sizes[k] = clamped(k, size(k)) == size(k) ? size(k) : others[k].back();
    }
    return sizes;
  }

  void add_all() {
    Sizes const first = first_sizes();
    auto const twice = [&](std::size_t k) { return 2 * first[k]; };
    auto const more = [&](std::size_t k) { return twice(k) + 1 + static_cast<std::int64_t>(k); };
    auto const back = [&](std::size_t k) { return others[k].back(); };
    auto const front = [&](std::size_t k) { return others[k].front(); };
    if (!adds(all_at(more)) && !adds(all_at(twice)) && !adds(all_at(back))) add(all_at(front));
  }
};

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
  traces::Tracer tracer{axes, run};
  tracer.others.resize(tracer.count());
  tracer.add_first();
  for (std::size_t k = 0; k < tracer.count(); ++k) tracer.add_others(k);
  bool const varies = std::ranges::any_of(tracer.others, [](auto const& x) { return !x.empty(); });
  if (varies) tracer.add_all();
  for (RunTimeAxis& axis : axes.axes) axis.sizes.resize(tracer.programs.size());
  return std::move(tracer.programs);
}

}  // namespace tenon::internal::onnx

#endif
