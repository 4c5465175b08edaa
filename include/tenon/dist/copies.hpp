#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include <tenon/dist/group.hpp>
#include <tenon/tensor/mark.hpp>

namespace tenon::mpi {

/// What was copied to groups in the recording that goes on. A value that several products take
/// (queries, keys and values of the same tokens) is one copy for all of them: their adjoints are
/// added up first, and then once over ranks. Of another recording nothing is known, so that it is
/// the same for every run.
class Copies {
 public:
  /// Those of this thread's recording.
  static Copies& current() {
    static thread_local Copies one;
    if (one.tape_ != recording) one = Copies(recording);
    return one;
  }

  /// The mark of the copy of a value; none where there is no copy yet.
  TapeMark find(TapeMark from, Group const& group) const {
    auto const found = made_.find({from.slot, &group.communicator()});
    return found == made_.end() || from.tape != tape_ ? TapeMark{} : found->second.to;
  }
  void keep(TapeMark from, Group const& group, TapeMark to) {
    if (from.tape == tape_) made_.insert({{from.slot, &group.communicator()}, {group, to}});
  }

 private:
  struct Copy {
    Group group;  ///< Kept, so that no other group comes to lie at its place.
    TapeMark to;
  };

  explicit Copies(std::uint32_t tape = 0) : tape_(tape) {}

  std::uint32_t tape_;
  std::map<std::pair<std::uint32_t, Communicator const*>, Copy> made_;
};

}  // namespace tenon::mpi
