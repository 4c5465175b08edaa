#pragma once

#include <tenon/backend/source/walk.hpp>
#include <tenon/eval/pairwise.hpp>

namespace tenon::source {

/// Does the order matter in which a fold takes its elements?
template <class Op, class T>
inline constexpr bool rounds = std::floating_point<T> && !std::derived_from<Op, op::Extreme>;

/// Folds a value into a name, in a block.
template <class Op, class T>
void combine(Listing& listing, int into, Symbol<T> const& x, int block) {
  Symbol<T> const sum = listing.within(
      block, [&] { return called<T>(Op::name, BodyOf<Op>(), Symbol<T>(listing, into), x); });
  listing.line(block, listing.text(into) + " = " + sum.text() + ";");
}

/// The total of a fold while it runs: in the order of `PairwiseFold` where rounding depends on it.
template <class Op, class T>
class Total {
 public:
  Total(Listing& listing, int block, bool in_blocks)
      : listing_(&listing), block_(block), in_blocks_(in_blocks) {
    total_ = listing.variable(type_text<T>, literal(Op::template identity<T>), block);
    if (!in_blocks) return;
    std::string const own = listing.text(total_);
    level_ = own + "_level", count_ = own + "_count", blocks_ = own + "_blocks", at_ = own + "_at";
    listing.line(block, std::string(type_text<T>) + " " + level_ + "[48];");
    listing.line(block, "i32 " + count_ + " = 0;");
    listing.line(block, "u64 " + blocks_ + " = 0;");
  }

  int name() const { return total_; }

  void add(Symbol<T> const& x, int block) {
    source::combine<Op>(*listing_, total_, x, block);
    if (in_blocks_) carry(block);
  }

  /// After all: the blocks that wait are added.
  void finish() {
    if (!in_blocks_) return;
    int const loop = listing_->open(
        "for (i32 " + at_ + " = 0; (" + blocks_ + " >> " + at_ + ") != 0; ++" + at_ + ")", block_);
    int const waits = listing_->open("if ((" + blocks_ + " >> " + at_ + " & 1) != 0)", loop);
    combine_level(waits);
    listing_->close(waits);
    listing_->close(loop);
  }

 private:
  /// The order is that of `PairwiseFold`: what came before is on the left.
  void combine(Symbol<T> const& a, Symbol<T> const& b, int block) {
    Symbol<T> const sum =
        listing_->within(block, [&] { return called<T>(Op::name, BodyOf<Op>(), a, b); });
    listing_->line(block, listing_->text(total_) + " = " + sum.text() + ";");
  }
  void combine_level(int block) {
    int const level = listing_->parameter(level_ + "[" + at_ + "]", block);
    combine(Symbol<T>(*listing_, level), Symbol<T>(*listing_, total_), block);
  }

  /// A full block is carried up, as in binary counting.
  void carry(int block) {
    std::string const length = std::to_string(PairwiseFold<ScalarMachine, Op, T>::block_length);
    int const full = listing_->open("if (++" + count_ + " == " + length + ")", block);
    listing_->line(full, "i32 " + at_ + " = 0;");
    int const loop =
        listing_->open("for (; (" + blocks_ + " >> " + at_ + " & 1) != 0; ++" + at_ + ")", full);
    combine_level(loop);
    listing_->close(loop);
    listing_->line(full, level_ + "[" + at_ + "] = " + listing_->text(total_) + ";");
    listing_->line(full, listing_->text(total_) + " = " + literal(Op::template identity<T>) + ";");
    listing_->line(full, "++" + blocks_ + ";");
    listing_->line(full, count_ + " = 0;");
    listing_->close(full);
  }

  Listing* listing_;
  int block_;
  bool in_blocks_;
  int total_;
  std::string level_, count_, blocks_, at_;
};

}  // namespace tenon::source
