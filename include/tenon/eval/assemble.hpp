#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <tuple>

#include <tenon/eval/evaluate.hpp>

namespace tenon::internal {

/// Materialized expressions whose values are placed side by side in a result `R`.
template <TensorType R, class... E>
struct AssembledParts {
  using value_type = typename R::value_type;
  using device = typename R::device;
  static constexpr std::size_t size = sizeof...(E);

  std::tuple<E...> parts;
  std::array<std::int64_t, size> starts;  ///< The offset in the result at which each part begins.
  Sizes strides;                          ///< Of the result, along the axes of a part.
  std::array<bool, size> recorded;        ///< Whether a part depends on recorded values.

  /// Calls `f(part, start, recorded)` for every part.
  template <class F>
  constexpr void for_each(F const& f) const {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (f(std::get<k>(parts), starts[k], recorded[k]), ...);
    }(std::make_index_sequence<size>());
  }
};

template <TensorType R, class... E>
bool depends_on_recording(AssembledParts<R, E...> const& assembly) {
  for (bool recorded : assembly.recorded) {
    if (recorded) return true;
  }
  return false;
}

/// The tape entry of an assembly: each part's adjoint is a box of the adjoint of the result.
template <TensorType R, class... E>
struct AssemblyStep {
  AssembledParts<R, E...> assembly;

  void operator()(Tape& tape, std::byte const* adjoint) const {
    using T = Computed<typename R::value_type>;
    assembly.for_each([&](auto const& part, std::int64_t start, bool recorded) {
      if (!recorded) return;
      MemoryAccess at = access_out(nullptr, assembly.strides, sizeof(T));
      at.data = adjoint + start * static_cast<std::int64_t>(sizeof(T));
      BackendOf<typename R::device>::backward(before_rounding(part), at, tape);
    });
  }
};

/// Computes one part into its box.
template <TensorType R, class E>
constexpr void fill_box(typename R::value_type* to, E const& part, Sizes const& strides) {
  Sizes const sizes = part.sizes();
  if (__builtin_is_constant_evaluated()) {
    ElementIndex index{};
    for (std::int64_t i = 0; i < count(sizes, E::shape.rank); ++i) {
      to[offset(strides, index, E::shape.rank)] = element(part, index);
      next(index, sizes, E::shape.rank);
    }
  } else {
    MemoryAccess const out =
        access_out(reinterpret_cast<std::byte*>(to), strides, sizeof(typename R::value_type));
    BackendOf<typename R::device>::fill(part, out);
    ++kernels_run;
  }
}

/// An expression in a form that one kernel can write to any memory.
template <class E>
constexpr auto as_part(E const& e) {
  if constexpr (is_rounded<E>) return as_part(rounded(e));
  else if constexpr (FusesEpilogue<E>) return evaluate_expression(e);
  else return materialized(e);
}

/// An assembly in a graph: every part is a box of the result.
template <TensorType R, class... X>
R assembled_in_graph(R const& result, std::span<ElementIndex const> starts, int first_axis,
                     X const&... parts) {
  std::array<graph::Reordering, sizeof...(X)> boxes;
  std::size_t next = 0;
  auto const box = [&](auto const& part) {
    int const rank = Unqualified<decltype(part)>::shape.rank;
    graph::Reordering& whole = boxes[next];
    whole = {{rank, part.sizes()}, {}, starts[next++]};
    for (int i = 0; i < rank; ++i)
      whole.order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(first_axis + i);
    return graph::Graph::current->expanded(expression_in_graph(part), whole.extent);
  };
  std::array<graph::Id, sizeof...(X)> const ids{box(parts)...};
  return graph::tensor_of<R>(graph::Graph::current->boxes(graph::elements_of(result), ids, boxes));
}

/// The parts of an assembly to `result`.
template <TensorType R, std::size_t N, class... X>
constexpr auto parts_of(R const& result, std::array<ElementIndex, N> const& starts, int first_axis,
                        X const&... parts) {
  Sizes const strides = row_major(result.sizes(), R::rank);
  Sizes own{};
  for (int i = first_axis; i < R::rank; ++i) at(own, i - first_axis) = at(strides, i);
  AssembledParts<R, decltype(as_part(parts))...> assembly{{as_part(parts)...}, {}, own, {}};
  for (std::size_t k = 0; k < N; ++k) assembly.starts[k] = offset(strides, starts[k], R::rank);
  return assembly;
}

/// `result`, whose elements are complete, recorded as an assembly.
template <TensorType R, class... E, std::size_t N, class... X>
R record_assembly(R result, AssembledParts<R, E...>& assembly,
                  std::array<ElementIndex, N> const& starts, int first_axis, X const&... parts) {
  if constexpr (AdjointType<typename R::value_type>) {
    assembly.recorded =
        std::apply([](auto const&... part) { return std::array{depends_on_recording(part)...}; },
                   assembly.parts);
    if (graph::is_open() && depends_on_recording(assembly))
      return assembled_in_graph(result, starts, first_axis, parts...);
    record<AssemblyStep<R, E...>>(assembly, result);
  }
  return result;
}

/// `assembled` where no trace is on.
template <TensorType R, std::size_t N, class... X>
constexpr R assembled_now(R result, std::array<ElementIndex, N> const& starts, int first_axis,
                          X const&... parts) {
  auto assembly = parts_of(result, starts, first_axis, parts...);
  auto* const to = result.own_memory();
  assembly.for_each([&](auto const& part, std::int64_t start, bool) {
    fill_box<R>(to + start, part, assembly.strides);
  });
  if (__builtin_is_constant_evaluated()) return result;
  return record_assembly(std::move(result), assembly, starts, first_axis, parts...);
}

/// The same where a trace is on. The numbers are the first axis and the starts; the value is that
/// of `pad`.
template <TensorType R, std::size_t N, class... X>
[[gnu::cold, gnu::noinline]] R traced_assembly(R result, std::array<ElementIndex, N> const& starts,
                                               int first_axis, X const&... parts) {
  std::array<std::int64_t, 1 + N* static_cast<std::size_t>(R::rank)> numbers{first_axis};
  auto* next = &numbers[0] + 1;
  for (ElementIndex const& start : starts) next = std::copy_n(&start[0], R::rank, next);
  tracing::Call call{"assemble", tracing::result_of<R>(result.sizes())};
  if ((count(parts.sizes(), Unqualified<X>::shape.rank) + ...) < result.size())
    std::memcpy(call.value.data(), stored_elements(result), sizeof(typename R::value_type));
  auto const values = std::tuple{evaluate_expression(parts)...};
  std::apply(
      [&](auto const&... x) {
        std::array<ir::Node, N> const operands{node_of(x)...};
        call.operands = operands, call.numbers = numbers;
        TapeMark const mark = tracing::Trace::current->called(call);
        tracing::Paused const paused;
        result.set_mark({});
        result = assembled_now(std::move(result), starts, first_axis, x...);
        result.set_mark(mark);
      },
      values);
  return result;
}

/// `result` with the values of expressions in boxes of it: part k begins at `starts[k]`, and its
/// axes are those of the result from `first_axis` on. Elements in no box are unchanged.
template <TensorType R, std::size_t N, class... X>
constexpr R assembled(R result, std::array<ElementIndex, N> const& starts, int first_axis,
                      X const&... parts) {
  if (!__builtin_is_constant_evaluated() && tracing::is_on())
    return traced_assembly(std::move(result), starts, first_axis, parts...);
  return assembled_now(std::move(result), starts, first_axis, parts...);
}

}  // namespace tenon::internal
