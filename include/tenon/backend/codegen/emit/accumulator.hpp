#pragma once

#include <tenon/backend/codegen/emit/context.hpp>

namespace tenon::internal::codegen {

/// Combines a value into a variable, in a block.
void combine(Listing& listing, ReductionOp const& op, int into, Value const& x, int block);

/// The accumulator of a reduction: in the order of `PairwiseReduction` if rounding depends on it.
class Total {
 public:
  Total(Listing& listing, ReductionOp const& op, int block, bool in_blocks);

  int name() const { return total_; }

  void add(Value const& x, int block);

  /// Adds the pending blocks at the end.
  void finish();

 private:
  void combine(Value const& a, Value const& b, int block);
  void combine_level(int block);
  void carry(int block);

  Listing* listing_;
  ReductionOp const* op_;
  int block_;
  bool in_blocks_;
  int total_;
  std::string level_, count_, blocks_, at_;
};

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/emit/accumulator.ipp>
#endif
