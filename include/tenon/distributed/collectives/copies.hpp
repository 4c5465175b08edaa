#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include <tenon/distributed/communication/group.hpp>
#include <tenon/tensor/mark.hpp>

namespace tenon::internal::mpi {

/// The `copy_to` results of the current recording. A value used by several matmuls (queries, keys
/// and values of the same tokens) is copied once: the adjoints are summed locally first, and
/// reduced over ranks once. Copies of other recordings are not reused, so that every run is the
/// same.
class Copies {
 public:
  /// Those of the current recording of this thread.
  static Copies& current() {
    static thread_local Copies one;
    if (one.tape_ != recording) one = Copies(recording);
    return one;
  }

  /// The tape mark of the copy of a value; none if it has not been copied.
  TapeMark find(TapeMark from, Group const& group) const {
    auto const found = made_.find({from.slot, &group.communicator()});
    return found == made_.end() || from.tape != tape_ ? TapeMark{} : found->second.to;
  }
  void keep(TapeMark from, Group const& group, TapeMark to) {
    if (from.tape == tape_) made_.insert({{from.slot, &group.communicator()}, {group, to}});
  }

 private:
  struct Copy {
    Group group;  ///< Kept, so that its address is not reused.
    TapeMark to;
  };

  explicit Copies(std::uint32_t tape = 0) : tape_(tape) {}

  std::uint32_t tape_;
  std::map<std::pair<std::uint32_t, Communicator const*>, Copy> made_;
};

}  // namespace tenon::internal::mpi
