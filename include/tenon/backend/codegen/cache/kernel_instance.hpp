#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/backend/codegen/launch/launch.hpp>
#include <tenon/core/config.hpp>
#include <tenon/eval/tape/tape.hpp>

namespace tenon::internal::codegen {

/// The index of an element in a vector; its size if it is not in it.
template <class T>
std::size_t place_of(std::vector<T> const& all, T const& thing) {
  return static_cast<std::size_t>(std::ranges::find(all, thing) - all.begin());
}

/// The run-time part of an expression in addition to its type: its sizes, and which of its leaves
/// and scalars are equal. The key determines the text and the run-time sizes of a kernel, in the
/// order of the nodes; the rest is passed to the kernel at each launch.
struct KernelInstance {
  using Number = std::array<std::byte, 8>;

  Tape const* tape = nullptr;  ///< The tape of a backward pass; null in a forward pass.
  std::vector<std::int64_t> key{};
  std::vector<void const*> memories{};
  std::vector<Number> scalars{};
  std::vector<TapeMark> marks{};  ///< Of leaves whose adjoints are required.

  void note_type(Node e);
  void note(Node e);

  void note_all(Sizes const& numbers) { key.insert(key.end(), numbers.begin(), numbers.end()); }

 private:
  void note_leaf(Node leaf);
  void note_number(Number const& number);
  void note_mark(TapeMark mark);

  /// Adds an element if it is new, and its index to the key.
  template <class T>
  void note_place(std::vector<T>& seen, T const& thing) {
    std::size_t const place = place_of(seen, thing);
    if (place == seen.size()) seen.push_back(thing);
    key.push_back(static_cast<std::int64_t>(place));
  }
};

/// Calls `hold(buffer)` for the memory of all leaves of an expression, which a recording of its
/// kernels keeps alive.
void hold_leaves(Node e, Callback<void(SharedBuffer const&)> const& hold);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

#include <cstring>

namespace tenon::internal::codegen {

TENON_RUNTIME void KernelInstance::note_type(Node e) {
  key.push_back(std::bit_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(e.type())));
}

TENON_RUNTIME void KernelInstance::note(Node e) {
  if (e.is(NodeKind::constant)) note_number(number_of(e).number);
  if (e.is_leaf()) note_leaf(e);
  e.each_number([&](std::int64_t number) { key.push_back(number); });
  e.each([&](Node operand) { note(operand); });
}

TENON_RUNTIME void KernelInstance::note_leaf(Node leaf) {
  note_place(memories, leaf->access->elements(leaf.address()));
  note_all(leaf.sizes());
  if (leaf.is(NodeKind::tensor)) note_mark(leaf.mark());
  if (leaf.is(NodeKind::view)) note_all(leaf->access->strides(leaf.address()));
}

/// The text of a backward kernel may contain a scalar, such as the divisor of a mean.
TENON_RUNTIME void KernelInstance::note_number(Number const& number) {
  note_place(scalars, number);
  if (tape == nullptr) return;
  key.push_back(0);
  std::memcpy(&key.back(), number.data(), sizeof number);
}

TENON_RUNTIME void KernelInstance::note_mark(TapeMark mark) {
  if (tape == nullptr) return;
  if (tape->is_wanted(mark)) note_place(marks, mark);
  else key.push_back(-1);
}

TENON_RUNTIME void hold_leaves(Node e, Callback<void(SharedBuffer const&)> const& hold) {
  if (e.is_leaf() && e->access->buffer != nullptr) hold(e->access->buffer(e.address()));
  e.each([&](Node operand) { hold_leaves(operand, hold); });
}

}  // namespace tenon::internal::codegen

#endif
