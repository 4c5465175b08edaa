#pragma once

#include <vector>

#include <tenon/eval/rows/bands.hpp>
#include <tenon/eval/rows/chunks.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon::internal {

/// The adjoints to which several chunks add. Each group of chunks gets a separate copy; copies are
/// added in the order of the groups, so that the sum does not depend on the threads.
class SharedAdjoints {
 public:
  static constexpr std::int64_t most_groups = 16;
  static constexpr std::int64_t most_elements = std::int64_t{1} << 22;

  /// `accesses` are those of a kernel's formula.
  SharedAdjoints(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks);

  /// Groups run in parallel, the chunks of a group one after the other.
  std::int64_t groups() const { return groups_; }

  /// Points a kernel's accesses at the copies of a group.
  void redirect(Accesses const& accesses, std::int64_t group) const;

  /// Adds up the copies.
  void collect() const;

 private:
  struct Shared {
    std::byte* gradient;
    std::int64_t count;
    std::int64_t bytes;
    void (*add)(std::byte*, std::byte const*, std::int64_t);
    SharedBuffer copies{};
  };

  static SharedBuffer zeros(std::int64_t bytes);

  void enter(MemoryAccess const& access);

  void find(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks);

  std::vector<Shared> shared_;
  std::int64_t groups_;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/rows/shared_adjoints.ipp>
#endif
