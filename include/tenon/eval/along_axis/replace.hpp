#pragma once

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/join/set.hpp>

namespace tenon::internal {

/// Slices along an axis in memory: `rows` slices, `outer` times, of `inner` elements each.
struct AxisRows {
  std::int64_t outer = 1;
  std::int64_t rows = 1;
  std::int64_t inner = 1;
};

constexpr AxisRows rows_along(Sizes const& sizes, int rank, int axis) {
  AxisRows rows{};
  for (int i = 0; i < rank; ++i) {
    std::int64_t& count = i < axis ? rows.outer : i == axis ? rows.rows : rows.inner;
    count *= at(sizes, i);
  }
  return rows;
}

/// The index of the replacement for every slice; -1 where it is unchanged.
template <class P>
SharedBuffer winners(P const& positions, std::int64_t rows) {
  SharedBuffer buffer(static_cast<std::size_t>(rows) * sizeof(std::int64_t));
  std::fill_n(buffer.as<std::int64_t>(), rows, std::int64_t{-1});
  for (std::int64_t k = 0; k < positions.size(); ++k)
    buffer.as<std::int64_t>()[static_cast<std::int64_t>(positions.data()[k])] = k;
  return buffer;
}

/// The tape entry of replaced slices: a slice's adjoint belongs to the replacement at it, or to the
/// original where it is unchanged.
template <class T, class P>
struct ReplacementStep {
  TapeMark original, replacement;
  P positions;
  AxisRows axis;

  void operator()(Tape& tape, std::byte const* adjoint) const {
    auto const [outer, rows, inner] = axis;
    std::int64_t const given = positions.size();
    std::byte* const kept = tape.gradient_of(original, outer * rows * inner, sizeof(T));
    std::byte* const put = tape.gradient_of(replacement, outer * given * inner, sizeof(T));
    SharedBuffer const from = winners(positions, rows);
    for (std::int64_t i = 0; i < outer * rows; ++i) {
      std::int64_t const winner = from.as<std::int64_t>()[i % rows];
      std::byte* const to = winner < 0 ? kept : put;
      std::int64_t const place = winner < 0 ? i : i / rows * given + winner;
      if (to == nullptr) continue;
      add_elements<T>(to + place * inner * static_cast<std::int64_t>(sizeof(T)),
                      adjoint + i * inner * static_cast<std::int64_t>(sizeof(T)), inner);
    }
  }
};

/// The mark of the replacement of slices; a number has none.
template <class V>
constexpr TapeMark mark_of(V const& value) {
  if constexpr (TensorType<V>) return value.mark();
  else return {};
}

template <class V>
bool is_tracked(V const& value) {
  if constexpr (TensorType<V>) return depends_on_recording(value);
  else return false;
}

/// Writes a replacement's slices to their positions, one after the other.
template <class T, class P, class V>
constexpr void write_slices(T* to, AxisRows const& axis, P const& positions, V const& value) {
  for (std::int64_t o = 0; o < axis.outer; ++o) {
    for (std::int64_t k = 0; k < positions.size(); ++k) {
      std::int64_t const row = o * axis.rows + static_cast<std::int64_t>(positions.data()[k]);
      T* const slice = to + row * axis.inner;
      if constexpr (is_constant<V>) std::fill_n(slice, axis.inner, static_cast<T>(value.value));
      else
        std::copy_n(stored_elements(value) + (o * positions.size() + k) * axis.inner, axis.inner,
                    slice);
    }
  }
}

/// Replaced slices in a graph: every element is the original's or the replacement's.
template <TensorType R, class P, class V>
R replaced_in_graph(R x, AxisRows const& axis, P const& positions, V const& value) {
  std::vector<graph::Id> inputs{graph::id_of(x)};
  x.set_mark({});
  write_slices(x.own_memory(), axis, positions, value);
  SharedBuffer const from = winners(positions, axis.rows);
  std::array<graph::Origin, 2> origins;
  for (std::int64_t i = 0; i < axis.outer * axis.rows * axis.inner; ++i) {
    std::int64_t const row = i / axis.inner, slice = from.as<std::int64_t>()[row % axis.rows];
    std::int64_t const put = row / axis.rows * positions.size() + slice;
    if (slice < 0) origins[0].add(i, i);
    else origins[1].add(put * axis.inner + i % axis.inner, i);
  }
  if constexpr (TensorType<V>) inputs.push_back(graph::id_of(value));
  return graph::tensor_of<R>(graph::Graph::current->origins(graph::elements_of(x), inputs,
                                                            {origins.data(), inputs.size()}));
}

/// `x` with slices along an axis replaced. Its memory is reused if it has no other owner.
template <TensorType R, class P, class V>
constexpr R replaced_in_memory(R x, int axis, P const& positions, V const& value) {
  using T = typename R::value_type;
  TapeMark const original = x.mark();
  bool kept = false, put = false;
  if (!__builtin_is_constant_evaluated()) kept = is_tracked(x), put = is_tracked(value);
  AxisRows const rows = rows_along(x.sizes(), R::rank, axis);
  if constexpr (InexactType<T>) {
    if ((kept || put) && graph::is_open()) return replaced_in_graph(x, rows, positions, value);
  }
  x.set_mark({});
  write_slices(x.own_memory(), rows, positions, value);
  if constexpr (InexactType<T>) {
    if (kept || put) {
      TapeMark const mark = Tape::current()->new_slot();
      Tape::current()->record(
          mark, ReplacementStep<Computed<T>, P>{original, mark_of(value), positions, rows});
      x.set_mark(mark);
    }
  }
  return x;
}

/// The same on the device of the tensor.
template <TensorType R, class P, class V>
constexpr R replaced_slices(R x, int axis, P const& positions, V const& value);

/// The same where a trace is on.
template <TensorType R, class P, class V>
[[gnu::cold, gnu::noinline]] R traced_replacement(R const& x, int axis, P const& positions,
                                                  V const& value) {
  std::array<std::int64_t, 1> const numbers{axis};
  return tracing::called(
      "set", x.sizes(), numbers, [&]() -> R { return replaced_slices(x, axis, positions, value); },
      x, positions, value);
}

template <TensorType R, class P, class V>
constexpr R replaced_slices(R x, int axis, P const& positions, V const& value) {
  if (!__builtin_is_constant_evaluated() && tracing::is_on())
    return traced_replacement(x, axis, positions, value);
  if constexpr (R::device::is_host) return replaced_in_memory(std::move(x), axis, positions, value);
  else return BackendOf<typename R::device>::set(x, axis, positions, value);
}

}  // namespace tenon::internal
