#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>

#include <tenon/tensor/device_memory.hpp>

namespace tenon::internal {

/// The memory of a recorded sequence of device operations: blocks that it writes belong to the
/// recording during its lifetime, and are reused within it only. Thread-safe except for allocation:
/// one thread records.
template <DeviceWithMemory D>
class RecordedMemory final : public DeviceLender<D>,
                             public std::enable_shared_from_this<RecordedMemory<D>> {
 public:
  SharedBuffer lend(std::size_t bytes) override {
    SizeClass const size = SizeClass::of(bytes);
    void* const data = spare_or_new(size);
    return SharedBuffer::adopt(data, bytes, Lent{this->shared_from_this(), data, size.index});
  }
  void hold(SharedBuffer const& buffer) override {
    if (!blocks_.contains(buffer.data())) read_.emplace(buffer.data(), buffer);
  }

 private:
  /// The owner of a lent block: its destructor makes it idle.
  class Lent {
   public:
    Lent(std::shared_ptr<RecordedMemory> from, void* data, std::size_t index)
        : from_(std::move(from)), data_(data), index_(index) {}
    Lent(Lent&&) noexcept = default;
    Lent& operator=(Lent&&) = delete;
    ~Lent() {
      if (from_ != nullptr) from_->spare_.give_back(data_, index_);
    }

   private:
    std::shared_ptr<RecordedMemory> from_;
    void* data_;
    std::size_t index_;
  };

  void* spare_or_new(SizeClass size) {
    if (void* const known = spare_.take(size)) return known;
    SharedBuffer const fresh = DeviceBlocks<D>::instance().take_own(size.capacity);
    return blocks_.emplace(fresh.data(), fresh).first->first;
  }

  std::map<void*, SharedBuffer> blocks_;  ///< Blocks of the recording,
  std::map<void*, SharedBuffer> read_;    ///< and earlier ones that it reads. (Never its own: that
                                          ///< would be a reference cycle.)
  SpareBlocks spare_;
};

/// Makes a recording the allocator of this thread's device memory, and records the device's calls,
/// until `end` or an exception.
template <RecordingDevice D>
class RecordingScope {
 public:
  explicit RecordingScope(RecordedMemory<D>& memory)
      : before_(std::exchange(DeviceLender<D>::current, &memory)) {
    D::begin_recording();
  }
  RecordingScope(RecordingScope const&) = delete;
  RecordingScope& operator=(RecordingScope const&) = delete;
  ~RecordingScope() {
    if (!is_open_) return;
    stop();
    D::drop_recording();
  }

  typename D::Recording end() {
    stop();
    return D::end_recording();
  }

 private:
  void stop() {
    is_open_ = false;
    DeviceLender<D>::current = before_;
  }

  DeviceLender<D>* before_;
  bool is_open_ = true;
};

}  // namespace tenon::internal
