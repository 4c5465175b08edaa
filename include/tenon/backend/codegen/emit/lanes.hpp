#pragma once

#include <tenon/backend/codegen/emit/accumulator.hpp>
#include <tenon/core/config.hpp>

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

namespace tenon::internal::codegen {

TENON_RUNTIME std::string shared_memory(Walk& walk, std::string const& use, std::string_view type) {
  std::string name = use + "_" + std::string(type);
  std::string const elements = std::to_string(walk.cut.lanes);
  if (walk.shared.insert(name).second)
    walk.listing.line(0, filled(walk.dialect().shared, {std::string(type), name, elements}));
  return name;
}

TENON_RUNTIME void emit_together(Walk& walk, int block, EmitAt const& store, EmitAt const& load,
                                 EmitAt const& reduction) {
  Listing& l = walk.listing;
  std::string const lanes = std::to_string(walk.cut.lanes), barrier(walk.dialect().barrier);
  l.line(block, barrier);
  store("member", block);
  l.line(block, barrier);
  int const some = l.open("if (member < 16)", block);
  int const others = l.open("for (i64 k = member + 16; k < " + lanes + "; k += 16)", some);
  reduction("k", others);
  l.close(others);
  store("member", some);
  l.close(some);
  l.line(block, barrier);
  load("0", block);
  int const rest = l.open("for (i64 k = 1; k < 16; ++k)", block);
  reduction("k", rest);
  l.close(rest);
}

TENON_RUNTIME Listing::Loop open_own(Walk& walk, Range const& range, int block) {
  Listing& l = walk.listing;
  std::string const j = l.fresh("j"), first = range.first == "0" ? "" : range.first + " + ";
  int const loop = l.open(block, &Dialect::strided_loop,
                          {"i64", j, first + "member", range.past, std::to_string(walk.cut.lanes)});
  walk.apart.push_back(loop);
  return {loop, l.parameter(j, loop)};
}

TENON_RUNTIME Listing::Loop open_all(Walk& walk, Range const& range, int block) {
  return walk.listing.loop(range.first, range.past, block);
}

TENON_RUNTIME int Lanes::total(Range const& range, std::int64_t length, Element const& element) {
  std::int64_t const most = walk_->cut.block();
  if (!op_->rounds || length <= most) return lanes(range, block_, element);
  Listing& l = walk_->listing;
  Total total(l, *op_, block_, length > most * Cut::most_in_lane);
  std::string const first = l.fresh("b"), step = std::to_string(most);
  int const loop =
      l.open(block_, &Dialect::strided_loop, {"i64", first, range.first, range.past, step});
  std::string const past = first + "_past", is_last = range.past + " - " + first + " < " + step;
  l.line(loop, &Dialect::constant,
         {"i64", past, filled(l.dialect().select, {is_last, range.past, first + " + " + step})});
  total.add(Value(l, lanes({first, past}, loop, element)), loop);
  l.close(loop);
  total.finish();
  return total.name();
}

TENON_RUNTIME void Lanes::together(int own, int block) {
  Listing& l = walk_->listing;
  std::string const shared = shared_memory(*walk_, "lanes", op_->dtype->text);
  auto const at = [&](std::string const& place) { return shared + "[" + place + "]"; };
  emit_together(
      *walk_, block,
      [&](std::string const& to, int in) { l.line(in, at(to) + " = " + l.text(own) + ";"); },
      [&](std::string const& from, int in) { l.line(in, l.text(own) + " = " + at(from) + ";"); },
      [&](std::string const& from, int in) {
        combine(l, *op_, own, Value(l, l.parameter(at(from), in)), in);
      });
}

TENON_RUNTIME int Lanes::lanes(Range const& range, int block, Element const& element) {
  bool const is_array = !walk_->cut.has_members && walk_->cut.lanes > 1;
  return is_array ? array(range, block, element) : loop(range, block, element);
}

/// One loop of a work item: over its part of the range, then all are combined; or over all of it.
TENON_RUNTIME int Lanes::loop(Range const& range, int block, Element const& element) {
  Listing& l = walk_->listing;
  bool const has_members = walk_->cut.has_members;
  int const own = l.variable(op_->dtype->text, op_->identity(l.dialect()), block);
  auto const loop = has_members ? open_own(*walk_, range, block) : open_all(*walk_, range, block);
  combine(l, *op_, own, element(loop.counter, loop.block), loop.block);
  l.close(loop.block);
  if (has_members) together(own, block);
  return own;
}

TENON_RUNTIME int Lanes::array(Range const& range, int block, Element const& element) {
  Listing& l = walk_->listing;
  std::string const lanes = std::to_string(walk_->cut.lanes), own = l.fresh("lane");
  std::string const lane = own + "[l]", start = own + "_at", count = own + "_count";
  l.line(block, std::string(op_->dtype->text) + " " + own + "[" + lanes + "];");
  l.line(block, "for (i32 l = 0; l < " + lanes + "; ++l) " + lane + " = " +
                    op_->identity(l.dialect()) + ";");
  int const outer = l.open("for (i64 " + start + " = " + range.first + "; " + start + " < " +
                               range.past + "; " + start + " += " + lanes + ")",
                           block);
  l.line(outer, "i32 const " + count + " = " + range.past + " - " + start + " < " + lanes +
                    " ? (i32)(" + range.past + " - " + start + ") : " + lanes + ";");
  int const inner = l.open("for (i32 l = 0; l < " + count + "; ++l)", outer);
  int const j = l.value("i64", start + " + l", {l.parameter("l", inner)});
  combine(l, *op_, l.parameter(lane, inner), element(j, inner), inner);
  l.close(inner);
  l.close(outer);
  return halved(own, block);
}
TENON_RUNTIME int Lanes::halved(std::string const& own, int block) {
  Listing& l = walk_->listing;
  int const halves =
      l.open("for (i32 by = " + std::to_string(walk_->cut.lanes / 2) + "; by > 0; by /= 2)", block);
  int const loop = l.open("for (i32 l = 0; l < by; ++l)", halves);
  combine(l, *op_, l.parameter(own + "[l]", loop), Value(l, l.parameter(own + "[l + by]", loop)),
          loop);
  l.close(loop);
  l.close(halves);
  return l.parameter(own + "[0]", block);
}

}  // namespace tenon::internal::codegen

#endif
