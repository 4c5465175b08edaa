#pragma once

#include <tenon/backend/codegen/adjoint/node_backward.hpp>
#include <tenon/core/config.hpp>

/// Backward of reductions: loops over their operands.
namespace tenon::internal::codegen {

/// Another reduction over the operand of a reduction, as needed by derivatives of reductions.
TENON_RUNTIME Value reduced_over(Walk& walk, Node reduction, Places const& at, int block,
                                 ReductionOp const& op, OfValue const& of) {
  Listing& l = walk.listing;
  if (walk.cut.lanes > 0 && walk.is_together(block)) {
    FlatAxes const reduced = reduced_axes(walk, reduction);
    auto const element = [&](int j, int in) {
      Value const x = reduced_element(walk, reduction, at, j);
      return l.within(in, [&] { return of(x); });
    };
    Range const all{"0", reduced.text(walk.variables)};
    return {l, Lanes(walk, op, block).total(all, reduced.count(), element)};
  }
  Total total(l, op, block, is_longer_than_a_block(reduction));
  Loops loops(l, block);
  Value const x =
      element_of(walk, reduction.operand_at(0), reduced_places(walk, reduction, at, loops));
  total.add(l.within(loops.block(), [&] { return of(x); }), loops.block());
  loops.close();
  total.finish();
  return {l, total.name()};
}

/// Propagates the adjoint of a sum to all summed elements; needs no values.
TENON_RUNTIME void backward_sum(Reverse& reverse, Node reduction, Places const& at,
                                Value const& adjoint) {
  Loops loops(reverse.listing(), reverse.block());
  Places const own = reduced_places(reverse.walk(), reduction, at, loops);
  reverse.within(loops, [&] { backward_element(reverse, reduction.operand_at(0), own, adjoint); });
}

/// Propagates the adjoint of a reduction, once complete, to all elements of its operand.
TENON_RUNTIME void backward_reduced_row(Reverse& reverse, Node reduction, Places const& at,
                                        Value const& adjoint) {
  if (reduction->text->reduction->is_sum) return backward_sum(reverse, reduction, at, adjoint);
  Walk& walk = reverse.walk();
  int const block = reverse.block();
  Loops loops(walk.listing, block);
  Value const y = element_of(walk, reduction, at);
  auto const over = [&](ReductionOp const& op, OfValue const& of) {
    return reduced_over(walk, reduction, at, block, op, of);
  };
  reduction->text->reduction->backward(adjoint, y, over, [&](OfValue const& backward) {
    Places const own = reduced_places(walk, reduction, at, loops);
    reverse.within(loops, [&] {
      Value const x = element_of(walk, reduction.operand_at(0), own);
      backward_element(reverse, reduction.operand_at(0), own, backward(x));
    });
  });
}

TENON_RUNTIME void backward_reduction(Reverse& reverse, Node reduction, Places const& at,
                                      Value const& share) {
  if (reduction->text->reduction->backward == nullptr) return;
  Walk& walk = reverse.walk();
  reverse.wait(at_places(identity(walk, reduction), at), reduction_depth_of(reduction),
               block_of(walk, at), *reduction->text->dtype, share,
               [&reverse, reduction, at](int sum) {
                 backward_reduced_row(reverse, reduction, at, Value(reverse.listing(), sum));
               });
}

}  // namespace tenon::internal::codegen
