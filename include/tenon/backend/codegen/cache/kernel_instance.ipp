#pragma once

#include <cstring>

#include <tenon/backend/codegen/cache/kernel_instance.hpp>
#include <tenon/core/config.hpp>

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
