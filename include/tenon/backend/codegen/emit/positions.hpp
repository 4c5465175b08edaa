#pragma once

#include <tenon/backend/codegen/emit/lanes.hpp>
#include <tenon/core/config.hpp>

namespace tenon::internal::codegen {

/// The position of the extreme (argmax, argmin) in a running reduction; -1 if there is none.
/// (Evaluation rejects an empty axis.)
class Position {
 public:
  Position(Walk& walk, ReductionOp const& op, int block);
  int name() const { return position_; }

  /// Compares with the next element.
  void add(Value const& x, std::string place, int block);

  /// Combines the work items of the group: the best of all, the first among equals.
  void together();

 private:
  Value own() const { return Value(walk_->listing, best_); }
  std::string better(Value const& x, Value const& than, int block);
  void take(std::string const& where, std::string const& x, std::string const& place, int block);
  void merge(std::string const& other, std::string const& place, int block);

  Walk* walk_;
  ReductionOp const* op_;
  int block_, best_, position_;
};

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::codegen {

TENON_RUNTIME Position::Position(Walk& walk, ReductionOp const& op, int block)
    : walk_(&walk), op_(&op), block_(block) {
  best_ = walk.listing.variable(op.dtype->text, op.identity(walk.listing.dialect()), block);
  position_ = walk.listing.variable("i32", "-1", block);
}

TENON_RUNTIME void Position::add(Value const& x, std::string place, int block) {
  Listing& l = walk_->listing;
  std::string const is_first = l.text(position_) + " < 0";
  take(filled(l.dialect().either, {is_first, better(x, own(), block)}), text_of(l, x, *op_->dtype),
       place, block);
}

TENON_RUNTIME void Position::together() {
  Listing& l = walk_->listing;
  std::string const best = shared_memory(*walk_, "best", op_->dtype->text);
  std::string const position = shared_memory(*walk_, "position", "i32");
  auto const at = [](std::string const& memory, std::string const& place) {
    return memory + "[" + place + "]";
  };
  emit_together(
      *walk_, block_,
      [&](std::string const& to, int in) {
        l.line(in, at(best, to) + " = " + l.text(best_) + ";");
        l.line(in, at(position, to) + " = " + l.text(position_) + ";");
      },
      [&](std::string const& from, int in) {
        l.line(in, l.text(best_) + " = " + at(best, from) + ";");
        l.line(in, l.text(position_) + " = " + at(position, from) + ";");
      },
      [&](std::string const& from, int in) { merge(at(best, from), at(position, from), in); });
}

TENON_RUNTIME std::string Position::better(Value const& x, Value const& than, int block) {
  Value const is_better = walk_->listing.within(block, [&] { return op_->f(x, than); });
  return text_of(walk_->listing, is_better, dtype_of<bool>);
}

TENON_RUNTIME void Position::take(std::string const& where, std::string const& x,
                                  std::string const& place, int block) {
  Listing& l = walk_->listing;
  int const found = l.open(block, &Dialect::condition, {where});
  l.line(found, l.text(best_) + " = " + x + ";");
  l.line(found, l.text(position_) + " = " + filled(l.dialect().cast, {"i32", place}) + ";");
  l.close(found);
}

TENON_RUNTIME void Position::merge(std::string const& other, std::string const& place, int block) {
  Listing& l = walk_->listing;
  Value const x(l, l.parameter(other, block));
  std::string const wins = better(x, own(), block), loses = better(own(), x, block);
  std::string const mine = l.text(position_);
  take(place + " >= 0 && (" + mine + " < 0 || " + wins + " || (!" + loses + " && " + place + " < " +
           mine + "))",
       other, place, block);
}

}  // namespace tenon::internal::codegen

#endif
