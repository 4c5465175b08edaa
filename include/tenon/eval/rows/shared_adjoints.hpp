#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include <tenon/eval/rows/bands.hpp>
#include <tenon/eval/rows/chunks.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon {

/// The adjoints to which several chunks add. Each group of chunks gets a copy of its own; copies
/// are added in the order of the groups, so that the sum does not depend on the threads.
class SharedAdjoints {
 public:
  static constexpr std::int64_t most_groups = 16;
  static constexpr std::int64_t most_elements = std::int64_t{1} << 22;

  /// `accesses` are those of a kernel's formula.
  [[gnu::noinline]] SharedAdjoints(Accesses const& accesses, RowLayout const& layout,
                                   RowChunks const& chunks)
      : groups_(chunks.count) {
    find(accesses, layout, chunks);
    std::int64_t elements = 0;
    for (Shared const& shared : shared_) elements += shared.count;
    if (shared_.empty()) return;
    groups_ =
        std::min({chunks.count, most_groups,
                  std::max<std::int64_t>(1, most_elements / std::max<std::int64_t>(1, elements))});
    if (groups_ <= 1) return;
    for (Shared& shared : shared_) shared.copies = zeros(groups_ * shared.count * shared.bytes);
  }

  /// Groups are worked on in parallel, the chunks of a group one after the other.
  std::int64_t groups() const { return groups_; }

  /// Points a kernel's accesses at the copies of a group.
  void redirect(Accesses const& accesses, std::int64_t group) const {
    if (groups_ <= 1) return;
    accesses.each([&](MemoryAccess& access) {
      for (Shared const& shared : shared_) {
        if (access.gradient == shared.gradient)
          access.gradient = shared.copies.as<std::byte>() + group * shared.count * shared.bytes;
      }
    });
  }

  /// Adds up the copies.
  void collect() const {
    for (Shared const& shared : shared_) {
      for (std::int64_t group = 0; groups_ > 1 && group < groups_; ++group) {
        shared.add(shared.gradient,
                   shared.copies.as<std::byte>() + group * shared.count * shared.bytes,
                   shared.count);
      }
    }
  }

 private:
  struct Shared {
    std::byte* gradient;
    std::int64_t count;
    std::int64_t bytes;
    void (*add)(std::byte*, std::byte const*, std::int64_t);
    SharedBuffer copies{};
  };

  static SharedBuffer zeros(std::int64_t bytes) {
    SharedBuffer buffer(static_cast<std::size_t>(bytes));
    std::memset(buffer.data(), 0, buffer.bytes());
    return buffer;
  }

  void enter(MemoryAccess const& access) {
    for (Shared const& shared : shared_) {
      if (shared.gradient == access.gradient) return;
    }
    shared_.push_back({access.gradient, access.count, access.element_bytes, access.add});
  }

  void find(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks) {
    if (chunks.count <= 1) return;
    accesses.each([&](MemoryAccess& access) {
      if (access.gradient != nullptr && is_shared(layout, chunks.pieces, accesses, access))
        enter(access);
    });
  }

  std::vector<Shared> shared_;
  std::int64_t groups_;
};

}  // namespace tenon
