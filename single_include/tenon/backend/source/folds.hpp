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

#include <tenon/backend/source/element.hpp>
#include <tenon/backend/source/flat.hpp>
#include <tenon/backend/source/loops.hpp>
#include <tenon/backend/source/positions.hpp>

/// Folds and products as loops, before their result is used and outside of all loops that it does
/// not vary in.
namespace tenon::source {

/// How many elements a recipe folds at most to one.
template <class E>
std::int64_t longest_fold(E const& e) {
  std::int64_t length = 0;
  if constexpr (has_fold<E>)
    each_operand(e, [&](auto const& operand) { length = std::max(length, longest_fold(operand)); });
  if constexpr (is_fold<E>) {
    auto const whole =
        count(operand_at<0>(e).sizes(), Unqualified<decltype(operand_at<0>(e))>::shape.rank);
    length = std::max(length, whole / std::max<std::int64_t>(1, count(e.sizes(), E::shape.rank)));
  }
  return length;
}

/// How the rows of a recipe are worked on.
template <class E>
Cut cut_of(Functions const& functions, E const& e, int row_axes) {
  return cut_for(functions, count(e.sizes(), E::shape.rank - row_axes), longest_fold(e));
}

/// The axes that a fold is over, as one.
template <class Op, class E, AxisBits axes, bool keeps>
FlatAxes folded_axes(Walk& walk, Fold<Op, E, axes, keeps> const& e) {
  Quantities const sizes = sizes_of(walk, operand_at<0>(e));
  FlatAxes folded;
  for (int i = 0; i < E::shape.rank; ++i)
    if (has_axis(axes, i)) folded.add(sizes[static_cast<std::size_t>(i)]);
  return folded;
}

/// The places in the operand at the `j`-th place along the folded axes.
template <class Op, class E, AxisBits axes, bool keeps>
Places flat_places(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at, int j) {
  Places const along = places_along(walk, folded_axes(walk, e), j);
  Places own{};
  for (std::size_t i = 0, from = 0, next = 0; i < static_cast<std::size_t>(E::shape.rank); ++i) {
    bool const folds = has_axis(axes, static_cast<int>(i));
    own[i] = folds ? along[next++] : at[from];
    from += folds && !keeps ? 0 : 1;
  }
  return own;
}

/// Enters a loop for every folded axis, or one over what a member has; the places in the operand.
template <class Op, class E, AxisBits axes, bool keeps>
Places folded_places(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at,
                     Loops& loops) {
  if (walk.cut.has_members && walk.is_together(loops.block())) {
    Range const all{"0", folded_axes(walk, e).text(walk.variables)};
    auto const loop = open_own(walk, all, loops.block());
    loops.enter(loop);
    return flat_places(walk, e, at, loop.counter);
  }
  Quantities const sizes = sizes_of(walk, operand_at<0>(e));
  Places own{};
  for (std::size_t i = 0, from = 0; i < static_cast<std::size_t>(E::shape.rank); ++i) {
    bool const folds = has_axis(axes, static_cast<int>(i));
    own[i] = folds ? loops.enter(walk.variables.text(sizes[i])) : at[from];
    from += folds && !keeps ? 0 : 1;
  }
  return own;
}

/// May a fold be longer than a block?
template <class E, AxisBits axes>
constexpr bool is_longer_than_a_block() {
  std::int64_t length = 1;
  for (int i = 0; i < E::shape.rank; ++i) {
    if (has_axis(axes, i) && !E::shape[i].is_static()) return true;
    if (has_axis(axes, i)) length *= E::shape[i].size;
  }
  return length > 64;
}

/// One after the other.
template <class Op, class E, AxisBits axes, bool keeps>
int folded_total(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at, int block) {
  using T = typename E::value_type;
  Total<Op, T> total(walk.listing, block, rounds<Op, T> && is_longer_than_a_block<E, axes>());
  Loops loops(walk.listing, block);
  Places const own = folded_places(walk, e, at, loops);
  total.add(element_of(walk, operand_at<0>(e), own), loops.block());
  loops.close();
  total.finish();
  return total.name();
}

/// The element of what is folded at the `j`-th place along the folded axes.
template <class Op, class E, AxisBits axes, bool keeps>
auto folded_element(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at, int j) {
  return element_of(walk, operand_at<0>(e), flat_places(walk, e, at, j));
}

template <class Op, class E, AxisBits axes, bool keeps>
int folded_position(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at, int block,
                    Range const& range) {
  Listing& l = walk.listing;
  Position<Op, typename E::value_type> position(walk, block);
  bool const is_shared = walk.cut.has_members && walk.is_together(block);
  auto const loop = is_shared ? open_own(walk, range, block) : open_all(walk, range, block);
  position.add(folded_element(walk, e, at, loop.counter), l.text(loop.counter), loop.block);
  l.close(loop.block);
  if (is_shared) position.together();
  return position.name();
}

/// What stands in a part of the row is folded; of all that is folded that is `1 / pieces`.
template <class Op, class E, AxisBits axes, bool keeps>
int folded_range(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at, int block,
                 Range const& range) {
  if constexpr (op::PositionFold<Op>) {
    return folded_position(walk, e, at, block, range);
  } else {
    std::int64_t const length = folded_axes(walk, e).count() / walk.cut.pieces + walk.cut.lanes;
    return Lanes<Op, typename E::value_type>(walk, block).total(range, length, [&](int j, int) {
      return folded_element(walk, e, at, j);
    });
  }
}

/// What kernels have left of a piece of a row: the value, or the position, of piece `j`.
template <class E>
int part_of(Walk& walk, E const& e, Places const& at, int j) {
  Listing& l = walk.listing;
  std::string const parts = walk.parts_of(walk.folded->place_of(e)), count = pieces_text(walk);
  IndexText row = row_major_index(walk.indexing(), sizes_of(walk, e), E::shape.rank, at);
  row.names.push_back(j);
  std::string const place = "(" + row.text + ") * " + count + " + " + l.text(j);
  return l.value(type_text<typename E::value_type>, parts + "[" + place + "]", row.names);
}

/// The best of what is best in each piece.
template <class Op, class E, AxisBits axes, bool keeps>
int best_of_parts(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at, int block) {
  Listing& l = walk.listing;
  Position<Op, typename E::value_type> position(walk, block);
  auto const loop = open_all(walk, {"0", pieces_text(walk)}, block);
  int const place = part_of(walk, e, at, loop.counter);
  int const is_any = l.open("if (" + l.text(place) + " >= 0)", loop.block);
  auto const x = l.within(is_any, [&] {
    return folded_element(walk, e, at, l.value("i64", "(i64)" + l.text(place), {place}));
  });
  position.add(x, l.text(place), is_any);
  l.close(is_any);
  l.close(loop.block);
  return position.name();
}

/// What kernels have left of the pieces of a row is folded.
template <class Op, class E, AxisBits axes, bool keeps>
int put_together(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at, int block) {
  if constexpr (op::PositionFold<Op>) {
    return best_of_parts(walk, e, at, block);
  } else {
    using T = typename E::value_type;
    Lanes<Op, T> lanes(walk, block);
    return lanes.total({"0", pieces_text(walk)}, walk.cut.pieces, [&](int j, int) {
      return Symbol<T>(walk.listing, part_of(walk, e, at, j));
    });
  }
}

template <class Op, class E, AxisBits axes, bool keeps>
int folded_whole(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at, int block) {
  bool const is_together = walk.cut.lanes > 0 && walk.is_together(block);
  if (walk.folded != nullptr && walk.folded->has(e)) return put_together(walk, e, at, block);
  if constexpr (!op::PositionFold<Op>)
    if (!is_together) return folded_total(walk, e, at, block);
  return folded_range(walk, e, at, block, {"0", folded_axes(walk, e).text(walk.variables)});
}

template <class Op, class E, AxisBits axes, bool keeps>
auto element_of(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at) {
  using Node = Fold<Op, E, axes, keeps>;
  using R = Symbol<typename Node::value_type>;
  Identity const key = at_places(identity(walk, e), at);
  auto const known = walk.folds.find(key);
  if (known != walk.folds.end() && walk.listing.is_open(walk.listing.block_of(known->second)))
    return R(walk.listing, known->second);
  int const block = block_of(walk, at);
  int const name = folded_whole(walk, e, at, block);
  walk.folds[key] = name;
  return commented<Node>(R(walk.listing, name), Op::name);
}

/// The positions of an operand's axes among those of labels.
inline Places labelled_places(AxisMap const& labels, std::array<Place, max_labels> const& at) {
  Places own{};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) own[i] = at[static_cast<std::size_t>(labels[i])];
  }
  return own;
}

template <class A, class B, class Rule>
auto element_of(Walk& walk, Contract<A, B, Rule> const& e, Places const& at) {
  using T = typename A::value_type;
  Contraction const& rule = Rule::contraction;
  auto const sizes = label_quantities(walk, e);
  Loops loops(walk.listing, block_of(walk, at));
  Total<op::SumFold, T> total(walk.listing, loops.block(), false);
  std::array<Place, max_labels> places{};
  std::array<bool, max_labels> fixed{};
  for (std::size_t i = 0; i < max_rank; ++i) {
    if (rule.out[i] < 0) continue;
    places[static_cast<std::size_t>(rule.out[i])] = at[i];
    fixed[static_cast<std::size_t>(rule.out[i])] = true;
  }
  for (std::size_t l = 0; l < static_cast<std::size_t>(rule.labels); ++l) {
    if (!fixed[l]) places[l] = loops.enter(walk.variables.text(sizes[l]));
  }
  Symbol<T> const a = element_of(walk, operand_at<0>(e), labelled_places(rule.left, places));
  Symbol<T> const b = element_of(walk, operand_at<1>(e), labelled_places(rule.right, places));
  total.add(a * b, loops.block());
  loops.close();
  return Symbol<T>(walk.listing, total.name());
}

}  // namespace tenon::source
