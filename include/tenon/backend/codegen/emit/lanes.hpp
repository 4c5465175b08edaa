#pragma once

#include <tenon/backend/codegen/emit/accumulator.hpp>

/// Reductions in lanes: work items of a group with barriers, or an array in a loop that is
/// vectorised.
namespace tenon::internal::codegen {

/// The range `first <= j < past`, as texts.
struct Range {
  std::string first, past;
};

/// Group memory, one element per work item.
std::string shared_memory(Walk& walk, std::string const& use, std::string_view type);

/// Emits code for an element at an index, in a block.
using EmitAt = Callback<void(std::string const&, int)>;

/// Emits a reduction over all work items in two steps: some reduce the others, then all reduce
/// these. `store(place, block)` stores the value of this work item, `reduction(place, block)`
/// combines one.
void emit_together(Walk& walk, int block, EmitAt const& store, EmitAt const& load,
                   EmitAt const& reduction);

/// Opens the loop of one work item over its part of a range; the name of the counter.
Listing::Loop open_own(Walk& walk, Range const& range, int block);

/// Opens a sequential loop over a range; the name of the counter.
Listing::Loop open_all(Walk& walk, Range const& range, int block);

/// A reduction in lanes; `element(j, block)` is the element at index j.
class Lanes {
 public:
  using Element = Callback<Value(int, int)>;

  Lanes(Walk& walk, ReductionOp const& op, int block) : walk_(&walk), op_(&op), block_(block) {}

  /// The name of the reduction over a range of `length` elements: in blocks if it is long and the
  /// order matters.
  int total(Range const& range, std::int64_t length, Element const& element);

  /// Combines the values of all work items.
  void together(int own, int block);

 private:
  int lanes(Range const& range, int block, Element const& element);
  int loop(Range const& range, int block, Element const& element);
  int array(Range const& range, int block, Element const& element);
  int halved(std::string const& own, int block);

  Walk* walk_;
  ReductionOp const* op_;
  int block_;
};

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/emit/lanes.ipp>
#endif
