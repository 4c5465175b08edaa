#pragma once

#include <tenon/backend/codegen/emit/context.hpp>
#include <tenon/core/config.hpp>

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
  /// Whether there is a block on the level `at_`.
  std::string is_full() const { return "(" + blocks_ + " >> " + at_ + " & 1) != 0"; }

  Listing* listing_;
  ReductionOp const* op_;
  int block_;
  bool in_blocks_;
  int total_;
  std::string level_, count_, blocks_, at_;
};

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

#include <tenon/eval/machine.hpp>
#include <tenon/op/reduction.hpp>

namespace tenon::internal::codegen {

TENON_RUNTIME void combine(Listing& listing, ReductionOp const& op, int into, Value const& x,
                           int block) {
  Value const sum = listing.within(block, [&] { return op.f(Value(listing, into), x); });
  listing.line(block, listing.text(into) + " = " + text_of(listing, sum, *op.dtype) + ";");
}

TENON_RUNTIME Total::Total(Listing& listing, ReductionOp const& op, int block, bool in_blocks)
    : listing_(&listing), op_(&op), block_(block), in_blocks_(in_blocks) {
  std::string const type(op.dtype->text);
  total_ = listing.variable(type, op.identity(listing.dialect()), block);
  if (!in_blocks) return;
  std::string const own = listing.text(total_);
  level_ = own + "_level", count_ = own + "_count", blocks_ = own + "_blocks", at_ = own + "_at";
  listing.line(block, &Dialect::array, {type, level_, "48"});
  listing.line(block, &Dialect::variable, {"i32", count_, "0"});
  listing.line(block, &Dialect::variable, {"u64", blocks_, "0"});
}

TENON_RUNTIME void Total::add(Value const& x, int block) {
  codegen::combine(*listing_, *op_, total_, x, block);
  if (in_blocks_) carry(block);
}

TENON_RUNTIME void Total::finish() {
  if (!in_blocks_) return;
  int const loop = listing_->open(block_, &Dialect::search_from_zero,
                                  {at_, "(" + blocks_ + " >> " + at_ + ") != 0"});
  int const waits = listing_->open(loop, &Dialect::condition, {is_full()});
  combine_level(waits);
  listing_->close(waits);
  listing_->close(loop);
}

/// In the order of `PairwiseReduction`: earlier elements are the left operand.
TENON_RUNTIME void Total::combine(Value const& a, Value const& b, int block) {
  Value const sum = listing_->within(block, [&] { return op_->f(a, b); });
  listing_->line(block,
                 listing_->text(total_) + " = " + text_of(*listing_, sum, *op_->dtype) + ";");
}
TENON_RUNTIME void Total::combine_level(int block) {
  int const level = listing_->parameter(level_ + "[" + at_ + "]", block);
  combine(Value(*listing_, level), Value(*listing_, total_), block);
}

/// A full block is carried up, as in binary counting.
TENON_RUNTIME void Total::carry(int block) {
  constexpr int block_length =
      PairwiseReduction<ScalarMachine, op::SumReduction, float>::block_length;
  int const full = listing_->open(block, &Dialect::count, {count_, std::to_string(block_length)});
  listing_->line(full, &Dialect::variable, {"i32", at_, "0"});
  int const loop = listing_->open(full, &Dialect::search, {at_, is_full()});
  combine_level(loop);
  listing_->close(loop);
  listing_->line(full, level_ + "[" + at_ + "] = " + listing_->text(total_) + ";");
  listing_->line(full, listing_->text(total_) + " = " + op_->identity(listing_->dialect()) + ";");
  listing_->line(full, &Dialect::increment, {blocks_});
  listing_->line(full, count_ + " = 0;");
  listing_->close(full);
}

}  // namespace tenon::internal::codegen

#endif
