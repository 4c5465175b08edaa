#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tenon/eval/run.hpp>
#include <tenon/eval/tape/kept.hpp>

/// Several expressions over the same axes in one loop: the results of the first are stored, then
/// those of the second, which may read them, and so on, a few lanes at a time. XLA: multi-output
/// fusion.
namespace tenon::internal {

/// An expression as bytes with handles of buffers.
struct HandleHolder {
  void const* expression;
  ExpressionLayout const* layout;

  std::uint32_t count() const { return layout->buffers; }
  SharedBuffer const& operator[](std::uint32_t i) const {
    auto const* const at = static_cast<std::byte const*>(expression);
    return *reinterpret_cast<SharedBuffer const*>(at + layout->places[layout->marks + i]);
  }
};

/// Whether an expression reads memory of a tensor.
bool read_memory(HandleHolder const* holders, std::size_t count, void const* memory);

/// An expression, and the row-major memory for its value.
template <class E>
struct OutputOf {
  E const& expression;
  typename E::value_type* to;

  HandleHolder holder() const { return {&expression, &expression_layout<E>}; }
  MemoryAccess access() const {
    return access_out(reinterpret_cast<std::byte*>(to),
                      row_major(expression.sizes(), E::shape.rank), sizeof(typename E::value_type));
  }
};

/// The frame of an output, whose last axis is its row.
template <class M, class E>
using FrameOfOutput = FrameOf<M, E::shape.rank - 1, last_axes(E::shape.rank, 1), E>;

/// What the loop over a run keeps of an output in registers.
template <class M, class F, class T>
struct OutputLoop {
  Readers<F> from;
  T* to;

  template <class Inputs>
  TENON_INLINE OutputLoop(Inputs const& inputs, T* at) : from(inputs), to(at) {}

  bool is_aligned(std::int64_t begin) const { return M::is_aligned(to + begin); }
  template <bool may_pass_caches>
  TENON_INLINE void store(std::int64_t j, bool past_caches) const {
    store_lanes<may_pass_caches, M>(Trace<F>(from, j, M::count).value(), to + j, past_caches);
  }
  TENON_INLINE void store_tail(std::int64_t j, int n) const {
    M::store(Trace<F>(from, j, n).value(), to + j, n);
  }
};

template <class M, bool may_pass_caches, class... Loop>
TENON_INLINE inline void store_outputs(std::int64_t begin, std::int64_t end,
                                       [[maybe_unused]] bool past_caches, Loop const&... loops) {
  std::int64_t j = begin;
  if constexpr (may_pass_caches) past_caches = past_caches && (loops.is_aligned(begin) && ...);
  for (; j + M::count <= end; j += M::count)
    (loops.template store<may_pass_caches>(j, past_caches), ...);
  if (j == end) return;
  int const left = tail_lanes<M>(end - j);
  (loops.store_tail(j, left), ...);
}

/// Whether outputs may be stored past the caches.
template <class M, class... E>
inline constexpr bool may_all_pass_caches =
    (M::template stores_past_caches<typename E::value_type> && ...) &&
    (0 + ... + cost<FrameOfOutput<M, E>>) < cost_past_caches;

/// Whether all tensors of an expression have the axes of `Root`: it is a map of contiguous memory.
template <class Root, class E>
inline constexpr bool is_flat = is_constant<E>;
template <class Root, TensorType E>
inline constexpr bool is_flat<Root, E> = E::shape == Root::shape;
template <class Root, class Op, class... E>
inline constexpr bool is_flat<Root, Elementwise<Op, E...>> =
    Elementwise<Op, E...>::shape == Root::shape && (is_flat<Root, E> && ...);

/// The number of inputs of such a formula.
template <class E>
inline constexpr std::size_t flat_inputs = 1;
template <class Op, class... E>
inline constexpr std::size_t flat_inputs<Elementwise<Op, E...>> = (flat_inputs<E> + ...);

/// An input: a constant or an address.
template <class F>
struct FlatInput {
  typename F::value_type value;
};
template <class M, class T>
struct FlatInput<LeafFrame<M, T, FrameReach::unit>> {
  T const* value;
};

template <class Inputs, class Indices>
struct FlatInputs;
template <class... F, std::size_t... i>
struct FlatInputs<FrameNodes<F...>, std::index_sequence<i...>>
    : Numbered<i, decltype(FlatInput<F>::value)>... {
  template <class E>
  TENON_INLINE explicit FlatInputs(E const& e) {
    set<0>(e);
  }

 private:
  /// The inputs of an expression, from number `first` on.
  template <std::size_t first, class E>
  TENON_INLINE void set(E const& e) {
    if constexpr (TensorType<E>) nth<first>(*this) = stored_elements(e);
    else nth<first>(*this) = e.value;
  }
  template <std::size_t first, class Op, class A>
  TENON_INLINE void set(Elementwise<Op, A> const& e) {
    set<first>(e.a);
  }
  template <std::size_t first, class Op, class A, class B>
  TENON_INLINE void set(Elementwise<Op, A, B> const& e) {
    set<first>(e.a);
    set<first + flat_inputs<A>>(e.b);
  }
  template <std::size_t first, class Op, class A, class B, class C>
  TENON_INLINE void set(Elementwise<Op, A, B, C> const& e) {
    set<first>(e.a);
    set<first + flat_inputs<A>>(e.b);
    set<first + flat_inputs<A> + flat_inputs<B>>(e.c);
  }
};

template <class M, class E>
TENON_INLINE inline auto flat_loop(OutputOf<E> const& output) {
  using F = FrameOfOutput<M, E>;
  using Inputs = FlatInputs<InputsOf<F>, std::make_index_sequence<InputsOf<F>::size>>;
  return OutputLoop<M, F, typename E::value_type>(Inputs(output.expression), output.to);
}

/// Computes outputs that are maps of contiguous memory of `count` elements.
template <class Backend, class... E>
void run_flat(std::int64_t count, bool past_caches, OutputOf<E> const&... outputs) {
  using M = typename Backend::machine;
  auto const run = [&](std::int64_t chunk, std::byte*) {
    std::int64_t const begin = chunk * chunk_elements;
    std::int64_t const end = (std::min)(begin + chunk_elements, count);
    store_outputs<M, may_all_pass_caches<M, E...>>(begin, end, past_caches,
                                                   flat_loop<M>(outputs)...);
    if (past_caches) M::finish_past_caches();
  };
  if (count <= chunk_elements) run(0, nullptr);
  else Backend::parallel_for((count + chunk_elements - 1) / chunk_elements, 0, run);
}

/// An output of a kernel over rows.
template <class F, class T>
struct RowOutput {
  Formula<F> frame;
  MemoryAccess out;

  template <class E>
  void lower(OutputOf<E> const& output, Accesses& accesses) {
    Lowering lowering(nullptr, &frame, &output.expression, accesses);
    lowering.run(lower_steps<F, E>.data(), lower_steps<F, E>.size());
    out = output.access();
    accesses = lowering.accesses;
    accesses.add(out);
  }
  template <class M>
  TENON_INLINE OutputLoop<M, F, T> loop() {
    prepare_values(frame);
    return {frame, reinterpret_cast<T*>(out.gradient) + out.now};
  }
};

template <class M, bool may_pass_caches, class Indices, class... Output>
struct RowOutputs;
template <class M, bool may_pass_caches, std::size_t... i, class... Output>
struct RowOutputs<M, may_pass_caches, std::index_sequence<i...>, Output...>
    : RowLayout, Numbered<i, Output>... {
  static constexpr bool is_of_reductions = false;

  RowOutputs() {}  // otherwise g++ zeroes the whole kernel first

  template <class First, class... E>
  void bind(OutputOf<First> const& first, OutputOf<E> const&... rest) {
    Accesses accesses;
    lower(accesses, first, rest...);
    arrange(accesses, first.expression.sizes(), First::shape.rank, 1, true);
  }
  /// Computes the elements [begin, end) of a row.
  static void run(RowLayout& layout, Accesses const&, std::int64_t begin, std::int64_t end) {
    auto& outputs = static_cast<RowOutputs&>(layout);
    store_outputs<M, may_pass_caches>(begin, end, outputs.past_caches,
                                      nth<i>(outputs).template loop<M>()...);
  }

 private:
  template <class... E>
  void lower(Accesses& accesses, OutputOf<E> const&... outputs) {
    (nth<i>(*this).lower(outputs, accesses), ...);
  }
};

/// Computes outputs whose operands are repeated along axes, or views.
template <class Backend, class... E>
void run_rows_of(bool past_caches, OutputOf<E> const&... outputs) {
  using M = typename Backend::machine;
  using K = RowOutputs<M, may_all_pass_caches<M, E...>, std::index_sequence_for<E...>,
                       RowOutput<FrameOfOutput<M, E>, typename E::value_type>...>;
  K kernel;
  kernel.bind(outputs...);
  kernel.past_caches = past_caches;
  run_forward(loops_of<Backend>, kernel_at_work(kernel, &K::run), chunks_of(kernel));
}

/// Whether outputs are stored past the caches: they are large, and none is read.
template <class... E>
bool pass_caches(std::int64_t count, OutputOf<E> const&... outputs) {
  constexpr std::size_t least = (std::min)({sizeof(typename E::value_type)...});
  if (count * static_cast<std::int64_t>(least) < bytes_past_caches) return false;
  HandleHolder const all[] = {outputs.holder()...};
  return !(read_memory(all, sizeof...(E), outputs.to) || ...);
}

/// Computes all outputs. An operand may have the memory of an earlier output, whose new values it
/// then has, or of the same or a later one, whose old values it has.
template <class Backend, class First, class... E>
void run_outputs(OutputOf<First> const& first, OutputOf<E> const&... rest) {
  std::int64_t const size = count(first.expression.sizes(), First::shape.rank);
  if (size == 0) return;
  bool const past_caches = pass_caches(size, first, rest...);
  if constexpr (is_flat<First, First> && (is_flat<First, E> && ...))
    run_flat<Backend>(size, past_caches, first, rest...);
  else run_rows_of<Backend>(past_caches, first, rest...);
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME bool read_memory(HandleHolder const* holders, std::size_t count, void const* memory) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::uint32_t k = 0; k < holders[i].count(); ++k)
      if (holders[i][k].data() == memory) return true;
  return false;
}

}  // namespace tenon::internal

#endif
