// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <tenon/backend/source/pull.hpp>

/// Folds and products, backward: loops over what was folded.
namespace tenon::source {

/// Other folds over all values that a fold is over: what the derivatives of folds ask for.
template <class FoldOp, class E, AxisBits axes, bool keeps>
struct OverFold {
  using T = typename E::value_type;

  Walk& walk;
  Fold<FoldOp, E, axes, keeps> const& e;
  Places const& at;
  int block;

  template <class Op, class Of>
  Symbol<T> operator()(Op, Of const& of) const {
    Listing& l = walk.listing;
    if (walk.cut.lanes > 0 && walk.is_together(block)) return in_lanes<Op>(of);
    Total<Op, T> total(l, block, is_longer_than_a_block<E, axes>());
    Loops loops(l, block);
    Symbol<T> const x = element_of(walk, operand_at<0>(e), folded_places(walk, e, at, loops));
    total.add(l.within(loops.block(), [&] { return of(x); }), loops.block());
    loops.close();
    total.finish();
    return Symbol<T>(l, total.name());
  }

 private:
  template <class Op, class Of>
  Symbol<T> in_lanes(Of const& of) const {
    FlatAxes const folded = folded_axes(walk, e);
    auto const element = [&](int j, int in) {
      Symbol<T> const x = folded_element(walk, e, at, j);
      return walk.listing.within(in, [&] { return of(x); });
    };
    Range const all{"0", folded.text(walk.variables)};
    return {walk.listing, Lanes<Op, T>(walk, block).total(all, folded.count(), element)};
  }
};

/// Passes the adjoint of a fold, which is complete, to all that was folded. (A sum asks for no
/// values.)
template <class Op, class E, AxisBits axes, bool keeps>
void pull_fold(Reverse& reverse, Fold<Op, E, axes, keeps> const& e, Places const& at,
               Symbol<typename E::value_type> const& adjoint) {
  using T = typename E::value_type;
  Walk& walk = reverse.walk();
  int const block = reverse.block();
  Loops loops(walk.listing, block);
  if constexpr (std::same_as<Op, op::SumFold>) {
    Places const own = folded_places(walk, e, at, loops);
    reverse.within(loops, [&] { pull_back(reverse, operand_at<0>(e), own, adjoint); });
  } else {
    Symbol<T> const y = element_of(walk, e, at);
    OverFold<Op, E, axes, keeps> const over{walk, e, at, block};
    auto const share = Op::share(adjoint, y, over);
    Places const own = folded_places(walk, e, at, loops);
    reverse.within(loops, [&] {
      Symbol<T> const x = element_of(walk, operand_at<0>(e), own);
      pull_back(reverse, operand_at<0>(e), own, Op::pull(share, x, y));
    });
  }
}

/// The shares of a fold's adjoint are added up; equal folds have one.
template <class Op, class E, AxisBits axes, bool keeps>
void pull_back(Reverse& reverse, Fold<Op, E, axes, keeps> const& e, Places const& at,
               Symbol<typename Fold<Op, E, axes, keeps>::value_type> const& share) {
  using T = typename E::value_type;
  if constexpr (op::SmoothFold<Op> && std::floating_point<T>) {
    Walk& walk = reverse.walk();
    reverse.wait(at_places(identity(walk, e), at), fold_depth_of(e), block_of(walk, at), share,
                 [&reverse, &e, at](int sum) {
                   pull_fold(reverse, e, at, Symbol<T>(reverse.listing(), sum));
                 });
  }
}

}  // namespace tenon::source
