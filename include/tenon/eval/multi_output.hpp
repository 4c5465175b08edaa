#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tenon/eval/flat_kernel.hpp>
#include <tenon/eval/kernel.hpp>
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

/// What holds of all tensors that an expression reads.
struct OperandTraits {
  bool are_mapped = true;  ///< It has no nodes but maps: they are read at the index of the element.
  bool are_viewed = true;  ///< It has no nodes but maps and index maps.
  bool are_flat = true;    ///< They have its axes: all memory is contiguous.
  bool are_alike = true;   ///< They have its axes and its dtype.

  constexpr OperandTraits operator&(OperandTraits const& other) const {
    return {are_mapped && other.are_mapped, are_viewed && other.are_viewed,
            are_flat && other.are_flat, are_alike && other.are_alike};
  }
};

/// Those of a part `E` of an expression `R`.
template <class R, class E>
consteval OperandTraits operand_traits() {
  constexpr auto all = []<class... X>(Types<X...>) {
    return (OperandTraits() & ... & operand_traits<R, X>());
  };
  [[maybe_unused]] constexpr bool flat = E::shape == R::shape;
  if constexpr (TensorType<E>)
    return {true, true, flat,
            flat && std::is_same_v<typename E::value_type, typename R::value_type>};
  else if constexpr (is_constant<E>) return {};
  else if constexpr (is_map<E>) return all(OperandsOf<E>()) & OperandTraits{true, true, flat, flat};
  else if constexpr (is_index_map<E>)
    return all(OperandsOf<E>()) & OperandTraits{false, true, false, false};
  else return {false, false, false, false};
}
template <class E>
inline constexpr OperandTraits traits_of = operand_traits<E, E>();

/// The inputs of a formula over contiguous memory, in order.
struct FlatInputs {
  void const* const* at;
};
template <std::size_t i>
TENON_INLINE inline InputAddress nth(FlatInputs const& of) {
  return {of.at[i]};
}

/// The number of inputs of an output.
template <class M, class E>
inline constexpr std::size_t flat_inputs_of = InputsOf<FrameOfOutput<M, E>>::size;

/// The kinds of the inputs of an expression, in order.
template <class E>
constexpr void list_inputs(std::uint8_t*& next) {
  if constexpr (TensorType<E>) *next++ = FlatKernel::input;
  else if constexpr (is_constant<E>) *next++ = sizeof(typename E::value_type);
  else [&]<class... X>(Types<X...>) { (list_inputs<Unqualified<X>>(next), ...); }(OperandsOf<E>());
}

/// The addresses of a kernel of several outputs over contiguous memory: the inputs of each output,
/// then its result.
template <std::size_t n>
struct FlatAddresses {
  std::array<void const*, n> at;
  std::size_t size = 0;

  template <class E>
  TENON_INLINE void add(OutputOf<E> const& output) {
    add_inputs(output.expression);
    at[size++] = output.to;
  }

 private:
  template <class E>
  TENON_INLINE void add_inputs(E const& e) {
    if constexpr (TensorType<E>) at[size++] = stored_elements(e);
    else if constexpr (is_constant<E>) at[size++] = &e.value;
    else each_operand(e, [&](auto const& operand) { add_inputs(operand); });
  }
};

/// The loop over a part of contiguous memory.
template <class M, class... E>
struct FlatLoop {
  static constexpr std::size_t addresses = (0 + ... + (flat_inputs_of<M, E> + 1));
  static constexpr auto kinds = [] {
    std::array<std::uint8_t, addresses> all{};
    std::uint8_t* next = all.data();
    ((list_inputs<E>(next), *next++ = FlatKernel::result), ...);
    return all;
  }();

  static void run(void const* const* at, std::int64_t begin, std::int64_t end, bool past_caches) {
    FlatLoop::run_outputs<may_all_pass_caches<M, E...>>(at, begin, end, past_caches,
                                                        Indices<sizeof...(E)>());
  }

 private:
  template <std::size_t n>
  using Indices = std::make_index_sequence<n>;
  static constexpr std::array<std::size_t, sizeof...(E)> counts{flat_inputs_of<M, E>...};

  static constexpr std::size_t place(std::size_t output) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < output; ++i) at += counts[i] + 1;
    return at;
  }
  template <bool may_pass_caches, std::size_t... i>
  TENON_INLINE static void run_outputs(void const* const* at, std::int64_t begin, std::int64_t end,
                                       bool past_caches, std::index_sequence<i...>) {
    store_outputs<M, may_pass_caches>(
        begin, end, past_caches,
        OutputLoop<M, FrameOfOutput<M, E>, typename E::value_type>(
            FlatInputs{at + place(i)},
            static_cast<typename E::value_type*>(const_cast<void*>(at[place(i) + counts[i]])))...);
    if (past_caches) M::finish_past_caches();
  }
};

/// Computes outputs that are maps of contiguous memory of `count` elements.
template <class Backend, class... E>
void run_flat(std::int64_t count, bool past_caches, OutputOf<E> const&... outputs) {
  using Loop = FlatLoop<typename Backend::machine, E...>;
  FlatAddresses<Loop::addresses> all;
  (all.add(outputs), ...);
  if (FlatKernel::recorded != nullptr) [[unlikely]]
    FlatKernel::recorded->record(&Loop::run, all.at, Loop::kinds.data());
  if (count <= chunk_elements) return Loop::run(all.at.data(), 0, count, past_caches);
  Backend::parallel_for(
      (count + chunk_elements - 1) / chunk_elements, 0, [&](std::int64_t chunk, std::byte*) {
        std::int64_t const begin = chunk * chunk_elements;
        Loop::run(all.at.data(), begin, (std::min)(begin + chunk_elements, count), past_caches);
      });
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
  static void run(RowGroup const& row, std::int64_t begin, std::int64_t end) {
    auto& outputs = static_cast<RowOutputs&>(row.layout);
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
  run_forward(loops_of<Backend>, kernel_at_work(kernel, &K::run));
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
  if constexpr ((traits_of<First> & ... & traits_of<E>).are_flat)
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
