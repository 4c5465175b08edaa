#pragma once

#include <tenon/backend/source/total.hpp>

/// Folds in lanes: members of a group who meet at barriers, or an array in a loop that becomes
/// vectors.
namespace tenon::source {

/// What stands at `first <= j < past`, as texts.
struct Range {
  std::string first, past;
};

/// Memory of the group, an element for each member.
std::string shared_memory(Walk& walk, std::string const& use, std::string_view type);

/// Says something about an element at a place, in a block.
using SayAt = Callback<void(std::string const&, int)>;

/// Says how all members fold what each has at hand, in two steps: some fold the others, then all
/// fold these. `store(place, block)` puts this member's there, `fold(place, block)` folds one.
void say_together(Walk& walk, int block, SayAt const& store, SayAt const& load, SayAt const& fold);

/// Opens the loop of one member over its part of a range; the name that counts.
Listing::Loop open_own(Walk& walk, Range const& range, int block);

/// A fold in lanes; `element(j, block)` is what stands at a place.
class Lanes {
 public:
  using Element = Callback<Value(int, int)>;

  Lanes(Walk& walk, FoldOp const& op, int block) : walk_(&walk), op_(&op), block_(block) {}

  /// The name of what a range of so many elements is folded to: in blocks where it is long and the
  /// order matters.
  int total(Range const& range, std::int64_t length, Element const& element);

  /// What each member has is folded to what all have.
  void together(int own, int block);

 private:
  int lanes(Range const& range, int block, Element const& element);
  int members(Range const& range, int block, Element const& element);
  int array(Range const& range, int block, Element const& element);
  int halved(std::string const& own, int block);

  Walk* walk_;
  FoldOp const* op_;
  int block_;
};

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/lanes.ipp>
#endif
