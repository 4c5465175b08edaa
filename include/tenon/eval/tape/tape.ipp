#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/tape/kept.hpp>
#include <tenon/eval/tape/tape.hpp>

namespace tenon::internal {

TENON_RUNTIME Tape::Tape()
    : serial_((tracing::refuse_while_on("value_and_grad"), LiveRecordings::enter())),
      outer_(std::exchange(recording, serial_)),
      outer_tape_(std::exchange(current_, this)),
      memory_(TapeMemory::take()) {}

TENON_RUNTIME Tape::~Tape() {
  stop();
  while (last_ != nullptr) drop_last();
  TapeMemory::give_back(memory_);
}

TENON_RUNTIME void Tape::stop() {
  if (recording != serial_) return;
  LiveRecordings::leave(serial_);
  recording = outer_;
  current_ = outer_tape_;
}

TENON_RUNTIME void Tape::check_outer(TapeMark mark) {
  if (mark.tape != 0 && LiveRecordings::has(mark.tape)) {
    throw Error(
        "tenon::value_and_grad: its argument is recorded already: a gradient of a "
        "gradient is not supported yet");
  }
}

TENON_RUNTIME void Tape::refuse() {
  throw Error("tenon::value_and_grad: the backend of a device has no gradients");
}

TENON_RUNTIME bool Tape::share_gradient(TapeMark mark, SharedBuffer const& adjoint) {
  if (!is_own(mark) || slot(mark).data != nullptr) return false;
  keep(slot(mark), adjoint);
  return true;
}

TENON_RUNTIME SharedBuffer Tape::take_gradient(TapeMark mark, std::size_t bytes) {
  AdjointSlot const taken = std::exchange(slot(mark), {});
  if (taken.buffer != 0) return std::move(memory_->buffers[taken.buffer - 1]);
  return taken.data == nullptr ? SharedBuffer() : AdjointMemory<Cpu>::copied(taken.data, bytes);
}

TENON_RUNTIME void Tape::backward() {
  stop();
  for (; last_ != nullptr; drop_last()) {
    if (last_->result == TapeMark{}) last_->backward(last_->step(), *this, nullptr);
    else if (has_gradient(last_->result)) backward_last(std::exchange(slot(last_->result), {}));
  }
}

TENON_RUNTIME void Tape::backward_last(AdjointSlot adjoint) {
  std::int64_t const started = Observer::start();
  last_->backward(last_->step(), *this, adjoint.data);
  if (started != 0) [[unlikely]]
    tell_backward(*last_, started);
  if (adjoint.buffer != 0) memory_->buffers[adjoint.buffer - 1] = {};
}

/// (The adjoint of a 16-bit dtype is a float.)
[[gnu::noinline, gnu::cold]] TENON_RUNTIME void Tape::add_adjoints(
    ir::Node node, std::vector<ObservedValue>& to) const {
  node.each([&](ir::Node operand) { add_adjoints(operand, to); });
  TapeMark const mark = node.mark();
  if (mark.tape == 0 || !has_gradient(mark)) return;
  bool const is_double = node->bytes == sizeof(double);
  Sizes const sizes = node.sizes();
  std::int64_t const bytes = count(sizes, node->rank) * (is_double ? 8 : 4);
  to.push_back({is_double ? "float64" : "float32", {}, node->rank, sizes, slot(mark).data, bytes});
}

[[gnu::noinline, gnu::cold]] TENON_RUNTIME void Tape::tell_backward(Entry& entry,
                                                                    std::int64_t started) {
  std::vector<ObservedValue> adjoints;
  ir::Node node{};
  if (entry.layout != nullptr) {
    node = {*entry.layout->type, entry.step()};
    add_adjoints(node, adjoints);
  }
  Observer::tell({node, {}, true, started, 0, adjoints});
}

TENON_RUNTIME void Tape::drop_last() {
  Entry* const entry = std::exchange(last_, last_->before);
  if (entry->layout != nullptr) drop_expression(entry->step(), *entry->layout);
  else if (entry->release != nullptr) entry->release(entry->step());
}

[[gnu::noinline]] TENON_RUNTIME TapeMark Tape::record_expression(void const* expression,
                                                                 ExpressionLayout const& layout,
                                                                 Backward function) {
  Entry* const entry = new_entry(layout.bytes);
  copy_expression(entry->step(), expression, layout);
  entry->layout = &layout;
  entry->backward = function;
  entry->result = new_slot();
  entry->before = std::exchange(last_, entry);
  return entry->result;
}

[[gnu::noinline]] TENON_RUNTIME std::byte* Tape::host_gradient_of(TapeMark mark, std::size_t bytes,
                                                                  bool& is_new) {
  return memory_of<Cpu>(mark, bytes, is_new);
}

TENON_RUNTIME void Tape::keep(AdjointSlot& slot, SharedBuffer buffer) {
  slot.data = buffer.as<std::byte>();
  memory_->buffers.push_back(std::move(buffer));
  slot.buffer = static_cast<std::uint32_t>(memory_->buffers.size());
}

[[gnu::noinline]] TENON_RUNTIME void Tape::unshare_on_host(AdjointSlot& slot) {
  unshare<Cpu>(slot);
}

}  // namespace tenon::internal
