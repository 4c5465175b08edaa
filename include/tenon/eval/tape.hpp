#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <tenon/tensor/mark.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon {

/// What one thread records while `value_and_grad` runs: every materialised value, with the recipe
/// that made it. It is there only inside; there is no other mode.
class Tape {
 public:
  Tape() : serial_(enter()), outer_(std::exchange(recording, serial_)), outer_tape_(current_) {
    current_ = this;
    slots_.swap(spare_slots_);
    entries_.swap(spare_entries_);
  }
  Tape(Tape const&) = delete;
  Tape& operator=(Tape const&) = delete;
  ~Tape() {
    stop();
    clear();
    slots_.swap(spare_slots_);
    entries_.swap(spare_entries_);
  }

  /// The tape of this thread; null where nothing is recorded.
  static Tape* current() { return recording == 0 ? nullptr : current_; }

  /// Ends the recording; what was recorded can still be walked backward.
  void stop() {
    if (recording != serial_) return;
    leave(serial_);
    recording = outer_;
    current_ = outer_tape_;
  }

  /// The serial number of a new recording, and its end.
  static std::uint32_t enter() {
    std::uint32_t const serial = next_serial();
    live().enter(serial);
    return serial;
  }
  static void leave(std::uint32_t serial) { live().leave(serial); }

  /// Throws `Error` if `mark` belongs to a recording that is going on elsewhere: in another thread,
  /// or around this one. Its gradient would be lost without a word.
  static void check(TapeMark mark) {
    if (mark.tape != 0 && !is_recorded(mark)) check_elsewhere(mark);
  }
  [[gnu::noinline, gnu::cold]] static void check_elsewhere(TapeMark mark) {
    if (!live().has(mark.tape)) return;
    throw Error("tenon::value_and_grad: a recorded tensor is used outside of its recording: " +
                std::string(recording != 0     ? "in a recording inside"
                            : recording_paused ? "captured by a custom_vjp or a checkpoint: "
                                                 "pass it as an argument"
                                               : "in another thread"));
  }

  /// The same for a value that is about to be recorded anew.
  static void check_outer(TapeMark mark) {
    if (mark.tape != 0 && live().has(mark.tape)) {
      throw Error(
          "tenon::value_and_grad: its argument is recorded already: a gradient of a "
          "gradient is not supported yet");
    }
  }

  /// A place for a value: a leaf, or the result of an entry.
  TapeMark new_slot() {
    slots_.emplace_back();
    return {serial_, static_cast<std::uint32_t>(slots_.size() - 1)};
  }

  /// Keeps a `Step` made of `parts`, whose call operator adds the adjoint of `result` to those of
  /// its operands.
  template <class Step, class... Parts>
  void record_made(TapeMark result, Parts&&... parts) {
    SharedBuffer memory(sizeof(Step));
    new (memory.data()) Step{std::forward<Parts>(parts)...};
    enter(
        result, std::move(memory),
        [](void* kept, Tape& tape, std::byte const* adjoint) {
          (*static_cast<Step*>(kept))(tape, adjoint);
        },
        [](void* kept) { static_cast<Step*>(kept)->~Step(); });
  }
  template <class Step>
  void record(TapeMark result, Step step) {
    record_made<Step>(result, std::move(step));
  }

  /// Keeps a step with several results: it looks for their adjoints itself.
  template <class Step>
  void record_joint(Step step) {
    record({}, std::move(step));
  }

  /// Has anything passed an adjoint to this value?
  bool has_gradient(TapeMark mark) const {
    return mark.tape == serial_ && static_cast<bool>(slots_[mark.slot]);
  }

  /// Where the adjoint of a value is added up; null for a constant. Where nothing was added before
  /// it `is_new` and holds anything: whoever asks sets all of it.
  std::byte* gradient_of(TapeMark mark, std::int64_t count, std::size_t element_bytes,
                         bool& is_new) {
    if (mark.tape != serial_) return nullptr;
    SharedBuffer& gradient = slots_[mark.slot];
    is_new = !gradient;
    if (is_new) gradient = SharedBuffer(static_cast<std::size_t>(count) * element_bytes);
    else if (!gradient.unique()) gradient = copied(gradient);
    return gradient.as<std::byte>();
  }

  /// The same, zeros at first.
  std::byte* gradient_of(TapeMark mark, std::int64_t count, std::size_t element_bytes) {
    bool is_new = false;
    std::byte* const gradient = gradient_of(mark, count, element_bytes, is_new);
    if (is_new && count > 0)
      std::memset(gradient, 0, static_cast<std::size_t>(count) * element_bytes);
    return gradient;
  }

  /// Has a value no adjoint yet, then this is it: shared, until somebody adds to it.
  bool share_gradient(TapeMark mark, SharedBuffer const& adjoint) {
    if (mark.tape != serial_ || slots_[mark.slot]) return false;
    slots_[mark.slot] = adjoint;
    return true;
  }

  /// The adjoint of a value as a buffer; null where nothing depends on it.
  SharedBuffer take_gradient(TapeMark mark) { return std::move(slots_[mark.slot]); }

  /// Runs the entries in reverse. The adjoint of an inner value is freed once it was passed on.
  void backward() {
    stop();
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      bool const joint = entry->result == TapeMark{};
      SharedBuffer const adjoint = joint ? SharedBuffer() : take_gradient(entry->result);
      if (joint || adjoint) entry->pull(entry->memory.data(), *this, adjoint.as<std::byte>());
      entry->release(entry->memory.data());
      entry->memory = SharedBuffer();
    }
    entries_.clear();
  }

 private:
  /// The serial numbers of all recordings that are going on, of any thread.
  class Live {
   public:
    void enter(std::uint32_t serial) {
      std::scoped_lock const lock(mutex_);
      serials_.push_back(serial);
    }
    void leave(std::uint32_t serial) {
      std::scoped_lock const lock(mutex_);
      std::erase(serials_, serial);
    }
    bool has(std::uint32_t serial) {
      std::scoped_lock const lock(mutex_);
      return std::find(serials_.begin(), serials_.end(), serial) != serials_.end();
    }

   private:
    std::mutex mutex_;
    std::vector<std::uint32_t> serials_;
  };
  static Live& live() {
    static Live serials;
    return serials;
  }

  struct Entry {
    TapeMark result;
    SharedBuffer memory;
    void (*pull)(void*, Tape&, std::byte const*);
    void (*release)(void*);
  };

  [[gnu::noinline]] void enter(TapeMark result, SharedBuffer memory,
                               void (*pull)(void*, Tape&, std::byte const*),
                               void (*release)(void*)) {
    entries_.push_back({result, std::move(memory), pull, release});
  }

  static SharedBuffer copied(SharedBuffer const& from) {
    SharedBuffer copy(from.bytes());
    if (from.bytes() > 0) std::memcpy(copy.data(), from.data(), from.bytes());
    return copy;
  }

  void clear() {
    for (Entry& entry : entries_) {
      if (entry.memory) entry.release(entry.memory.data());
    }
    entries_.clear();
    slots_.clear();
  }

  static std::uint32_t next_serial() {
    static std::atomic<std::uint32_t> last{0};
    return ++last;
  }

  // The vectors of the last tape, so that the next one allocates nothing.
  static inline thread_local std::vector<SharedBuffer> spare_slots_;
  static inline thread_local std::vector<Entry> spare_entries_;
  static inline thread_local Tape* current_ = nullptr;

  std::uint32_t serial_;
  std::uint32_t outer_;
  Tape* outer_tape_;
  std::vector<SharedBuffer> slots_;
  std::vector<Entry> entries_;
};

}  // namespace tenon
