#pragma once

#include <tenon/backend/codegen/adjoint/node_backward.hpp>
#include <tenon/core/config.hpp>

/// Backward of reductions: loops over their operands.
namespace tenon::source {

/// Another reduction over the operand of a reduction, as needed by derivatives of reductions.
TENON_RUNTIME Value folded_over(Walk& walk, Node fold, Places const& at, int block,
                                FoldOp const& op, OfValue const& of) {
  Listing& l = walk.listing;
  if (walk.cut.lanes > 0 && walk.is_together(block)) {
    FlatAxes const folded = folded_axes(walk, fold);
    auto const element = [&](int j, int in) {
      Value const x = folded_element(walk, fold, at, j);
      return l.within(in, [&] { return of(x); });
    };
    Range const all{"0", folded.text(walk.variables)};
    return {l, Lanes(walk, op, block).total(all, folded.count(), element)};
  }
  Total total(l, op, block, is_longer_than_a_block(fold));
  Loops loops(l, block);
  Value const x = element_of(walk, fold.operand_at(0), folded_places(walk, fold, at, loops));
  total.add(l.within(loops.block(), [&] { return of(x); }), loops.block());
  loops.close();
  total.finish();
  return {l, total.name()};
}

/// Propagates the adjoint of a sum to all summed elements; needs no values.
TENON_RUNTIME void pull_sum(Reverse& reverse, Node fold, Places const& at, Value const& adjoint) {
  Loops loops(reverse.listing(), reverse.block());
  Places const own = folded_places(reverse.walk(), fold, at, loops);
  reverse.within(loops, [&] { backward_element(reverse, fold.operand_at(0), own, adjoint); });
}

/// Propagates the adjoint of a reduction, once complete, to all elements of its operand.
TENON_RUNTIME void pull_fold(Reverse& reverse, Node fold, Places const& at, Value const& adjoint) {
  if (fold->fold->is_sum) return pull_sum(reverse, fold, at, adjoint);
  Walk& walk = reverse.walk();
  int const block = reverse.block();
  Loops loops(walk.listing, block);
  Value const y = element_of(walk, fold, at);
  auto const over = [&](FoldOp const& op, OfValue const& of) {
    return folded_over(walk, fold, at, block, op, of);
  };
  fold->fold->pull(adjoint, y, over, [&](OfValue const& pull) {
    Places const own = folded_places(walk, fold, at, loops);
    reverse.within(loops, [&] {
      Value const x = element_of(walk, fold.operand_at(0), own);
      backward_element(reverse, fold.operand_at(0), own, pull(x));
    });
  });
}

TENON_RUNTIME void backward_reduction(Reverse& reverse, Node fold, Places const& at,
                                      Value const& share) {
  if (fold->fold->pull == nullptr) return;
  Walk& walk = reverse.walk();
  reverse.wait(at_places(identity(walk, fold), at), fold_depth_of(fold), block_of(walk, at),
               *fold->dtype, share, [&reverse, fold, at](int sum) {
                 pull_fold(reverse, fold, at, Value(reverse.listing(), sum));
               });
}

}  // namespace tenon::source
