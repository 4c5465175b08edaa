#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/eval/tape/kept.hpp>
#include <tenon/eval/tape/memory.hpp>
#include <tenon/ir/node_name.hpp>
#include <tenon/tensor/live_recordings.hpp>
#include <tenon/tensor/storage.hpp>
#include <tenon/tensor/tracing.hpp>

namespace tenon::internal {

struct ExpressionLayout;

/// The recording of one thread while `value_and_grad` runs: every materialized value, with the
/// expression that made it. It exists only inside that call; there is no global mode.
class Tape {
 public:
  Tape();
  Tape(Tape const&) = delete;
  Tape& operator=(Tape const&) = delete;
  ~Tape();

  /// The tape of this thread; null where nothing is recorded.
  static Tape* current() {
    if (recording == 0) return nullptr;
    if (tracing::is_on()) [[unlikely]]
      tracing::refuse("a recorded function");
    return current_;
  }

  /// Ends the recording; what was recorded can still be walked backward.
  void stop();

  /// Throws `Error` for a value that is recorded again.
  static void check_outer(TapeMark mark);

  /// Throws `Error`: a device does not support gradients.
  [[noreturn, gnu::cold]] static void refuse();

  /// A slot for a value: a leaf, or the result of an entry.
  TapeMark new_slot() { return {serial_, memory_->slots.add()}; }
  /// That of the next value.
  TapeMark next_slot() const { return {serial_, memory_->slots.size()}; }

  /// Constructs a `Step` from `parts` in place; its call operator adds the adjoint of `result` to
  /// those of its operands.
  template <class Step, class... Parts>
  void record_made(TapeMark result, Parts&&... parts) {
    Entry* const entry = new_entry(sizeof(Step));
    ::new (entry->step()) Step{std::forward<Parts>(parts)...};
    entry->made<Step>();
    entry->result = result;
    entry->before = std::exchange(last_, entry);
  }
  /// The same for a step whose result has no mark yet.
  template <class Step, class... Parts>
  TENON_INLINE TapeMark record_new(Parts const&... parts) {
    Entry* const entry = new_result(sizeof(Step));
    ::new (entry->step()) Step{parts...};
    entry->template made<Step>();
    entry->before = std::exchange(last_, entry);
    return entry->result;
  }
  /// Adds the adjoint of a result, at `adjoint`, to those of a step's inputs.
  using Backward = void (*)(void* step, Tape& tape, std::byte const* adjoint);

  /// Stores a copy of an expression; the mark of its result.
  TapeMark record_expression(void const* expression, ExpressionLayout const& layout,
                             Backward backward);

  template <class Step>
  void record(TapeMark result, Step step) {
    record_made<Step>(result, std::move(step));
  }

  /// Stores a step with several results; it reads their adjoints itself.
  template <class Step>
  void record_joint(Step step) {
    record({}, std::move(step));
  }

  /// Whether the adjoint of this value is needed. False for a constant.
  bool is_wanted(TapeMark mark) const { return is_own(mark); }

  /// Whether an adjoint was added to this value.
  bool has_gradient(TapeMark mark) const { return is_own(mark) && slot(mark).data != nullptr; }

  /// The memory in which the adjoint of a value accumulates, on its device; null for a constant. If
  /// nothing was added before, it `is_new` and uninitialised: the caller sets all of it.
  template <class D = Cpu>
  std::byte* gradient_of(TapeMark mark, std::int64_t count, std::size_t element_bytes,
                         bool& is_new) {
    std::size_t const bytes = static_cast<std::size_t>(count) * element_bytes;
    if constexpr (D::is_host) return host_gradient_of(mark, bytes, is_new);
    else return memory_of<D>(mark, bytes, is_new);
  }

  /// The same, zero-initialised.
  template <class D = Cpu>
  std::byte* gradient_of(TapeMark mark, std::int64_t count, std::size_t element_bytes) {
    bool is_new = false;
    std::byte* const gradient = gradient_of<D>(mark, count, element_bytes, is_new);
    if (is_new && count > 0)
      AdjointMemory<D>::clear(gradient, static_cast<std::size_t>(count) * element_bytes);
    return gradient;
  }

  /// The same for an inline value of `bytes` bytes; zero-initialised, also where it `is_new`.
  template <std::size_t bytes>
  TENON_INLINE std::byte* inline_gradient_of(TapeMark mark, bool& is_new) {
    static_assert(bytes <= static_cast<std::size_t>(inline_bytes));
    if (!is_own(mark)) return nullptr;
    AdjointSlot& own = slot(mark);
    is_new = own.data == nullptr;
    if (is_new) own.data = memory_->arena.take(bytes), std::memset(own.data, 0, bytes);
    else if (own.buffer != 0) unshare_on_host(own);
    return own.data;
  }
  template <std::size_t bytes>
  TENON_INLINE std::byte* inline_gradient_of(TapeMark mark) {
    bool is_new = false;
    return inline_gradient_of<bytes>(mark, is_new);
  }

  /// If a value has no adjoint yet, uses this buffer as its adjoint, copy-on-write. Returns whether
  /// it did.
  bool share_gradient(TapeMark mark, SharedBuffer const& adjoint);

  /// The adjoint of a value, of `bytes` bytes, as a buffer; null if no result depends on it.
  SharedBuffer take_gradient(TapeMark mark, std::size_t bytes);

  /// Runs the entries in reverse. The adjoint of an inner value is freed after it was passed on.
  void backward();

 private:
  /// The header of an entry; the step follows it, on a cache line.
  struct alignas(64) Entry {
    Entry* before = nullptr;
    Backward backward = nullptr;
    void (*release)(void*) = nullptr;
    ExpressionLayout const* layout = nullptr;  ///< Of a step that is an expression.
    TapeMark result;

    void* step() { return this + 1; }
    template <class Step>
    TENON_INLINE void made() {
      static_assert(alignof(Step) <= alignof(Entry));
      backward = &backward_step<Step>;
      if constexpr (!std::is_trivially_destructible_v<Step>) release = &release_step<Step>;
    }
    // (Not lambdas: each would be three functions per step.)
    template <class Step>
    static void backward_step(void* kept, Tape& tape, std::byte const* adjoint) {
      (*static_cast<Step*>(kept))(tape, adjoint);
    }
    template <class Step>
    static void release_step(void* kept) {
      static_cast<Step*>(kept)->~Step();
    }
  };

  /// (The bound: serial numbers wrap around after 2^32 recordings.)
  bool is_own(TapeMark mark) const {
    return mark.tape == serial_ && mark.slot < memory_->slots.size();
  }

  AdjointSlot& slot(TapeMark mark) const { return memory_->slots[mark.slot]; }

  void backward_last(AdjointSlot adjoint);
  [[gnu::cold]] void tell_backward(Entry& entry, std::int64_t started);
  void add_adjoints(ir::Node node, std::vector<ObservedValue>& to) const;

  Entry* new_entry(std::size_t step_bytes) {
    return ::new (memory_->arena.take(sizeof(Entry) + step_bytes)) Entry;
  }
  Entry* new_result(std::size_t step_bytes) {
    Entry* const entry = new_entry(step_bytes);
    entry->result = new_slot();
    return entry;
  }
  void drop_last();

  /// The same in the memory of a device; small adjoints on the host are in the arena.
  template <class D>
  std::byte* memory_of(TapeMark mark, std::size_t bytes, bool& is_new) {
    if (!is_own(mark)) return nullptr;
    is_new = slot(mark).data == nullptr;
    if (is_new && D::is_host && bytes <= static_cast<std::size_t>(inline_bytes))
      slot(mark).data = memory_->arena.take(bytes);
    else if (is_new) keep(slot(mark), AdjointMemory<D>::take(bytes));
    else if (slot(mark).buffer != 0) unshare<D>(slot(mark));
    return slot(mark).data;
  }
  std::byte* host_gradient_of(TapeMark mark, std::size_t bytes, bool& is_new);

  void keep(AdjointSlot& slot, SharedBuffer buffer);
  void unshare_on_host(AdjointSlot& slot);
  template <class D>
  void unshare(AdjointSlot& slot) {
    SharedBuffer& buffer = memory_->buffers[slot.buffer - 1];
    if (!AdjointMemory<D>::is_ours(buffer))
      buffer = AdjointMemory<D>::copied(slot.data, buffer.bytes());
    slot.data = buffer.as<std::byte>();
  }

  static inline thread_local Tape* current_ = nullptr;

  std::uint32_t serial_;
  std::uint32_t outer_;
  Tape* outer_tape_;
  TapeMemory* memory_;
  Entry* last_ = nullptr;
};

}  // namespace tenon::internal

namespace tenon {

using internal::Tape;

}  // namespace tenon

namespace tenon::internal {

/// Calls `f(mark)` for every tensor of an expression that may need an adjoint. What is behind
/// `stop_gradient` is a constant.
template <class F>
struct EachMark {
  F const& f;
  template <class E>
  TENON_INLINE constexpr void operator()(E const& e) const {
    if constexpr (TensorType<E>) f(e.mark());
    else if constexpr (!stops_gradient<E>) each_operand(e, *this);
  }
};

/// Whether a value can depend on what is recorded. Random draws cannot: no backward is instantiated
/// for them.
template <class E>
inline constexpr bool may_be_recorded = !is_draw<E>;

/// (Also behind `stop_gradient`: a trace continues there.)
struct AllMarks {
  std::uint64_t& marks;
  template <class E>
  TENON_INLINE constexpr void operator()(E const& e) const {
    if constexpr (TensorType<E>) marks |= std::bit_cast<std::uint64_t>(e.mark());
    else each_operand(e, *this);
  }
};

/// Whether a small expression has a mark. (The marks are read as they are copied, as one 64-bit
/// load: otherwise g++ 12 splits the load and stalls store forwarding.)
template <class E>
TENON_INLINE constexpr bool is_marked(E const& e) {
  std::uint64_t marks = 0;
  AllMarks{marks}(e);
  return marks != 0;
}

/// The same elements under another shape of equal size: shared if they are in a buffer. The tape
/// mark remains: adjoints are stored flat.
template <TensorType R, TensorType E>
constexpr R reshaped(E const& tensor, Sizes const& sizes) {
  if constexpr (std::same_as<R, E>) return tensor;
  else if constexpr (!R::holds_elements && !E::holds_elements) {
    return R::adopt(tensor.storage().buffer, sizes, tensor.mark());
  } else {
    R result = R::uninitialised(sizes);
    auto* const to = result.own_memory();
    for (std::int64_t i = 0; i < tensor.size(); ++i) to[i] = stored_elements(tensor)[i];
    result.set_mark(tensor.mark());
    return result;
  }
}

/// The same with the same sizes: other names, or static sizes that are checked at run time.
template <TensorType R, TensorType E>
constexpr R relabelled(E const& tensor) {
  return reshaped<R>(tensor, tensor.sizes());
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <tenon/eval/tape/tape.ipp>

#endif
