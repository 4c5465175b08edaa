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
#include <tenon/tenon.hpp>

/// Folds and products as loops, before their result is used and outside of all loops that it does
/// not vary in.
namespace tenon::source {

/// Nested loops, the innermost last.
class Loops {
 public:
  Loops(Listing& listing, int outer) : listing_(&listing), block_(outer), outer_(outer) {}
  int block() const { return block_; }

  Place enter(std::string const& size) {
    auto const loop = listing_->loop(size, block_);
    blocks_.push_back(block_ = loop.block);
    return {{loop.counter}};
  }
  /// A block that is no loop of its own; its number.
  int enter_header(std::string const& header) {
    blocks_.push_back(block_ = listing_->open(header, block_));
    return block_;
  }
  /// Closes all, the innermost first; before each, `last(block)`.
  template <class Last>
  void close(Last const& last) {
    for (; !blocks_.empty(); blocks_.pop_back()) {
      last(blocks_.back());
      listing_->close(blocks_.back());
    }
    block_ = outer_;
  }
  void close() {
    close([](int) {});
  }

 private:
  Listing* listing_;
  int block_, outer_;
  std::vector<int> blocks_;
};

/// The innermost block of the names of places.
inline int block_of(Walk& walk, Places const& at) {
  std::vector<int> names;
  for (Place const& place : at) {
    for (int term : place.terms) names.push_back(term < 0 ? walk.rows.row : term);
  }
  return walk.listing.innermost(names);
}

/// What is computed where.
inline Identity at_places(Identity identity, Places const& at) {
  for (Place const& place : at) {
    add_to(identity, static_cast<std::uint64_t>(place.start));
    add_to(identity, place.terms.size());
    for (int term : place.terms) add_to(identity, static_cast<std::uint64_t>(term));
  }
  return identity;
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
    combine(Symbol<T>(*listing_, total_), x, block);
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
  void combine(Symbol<T> const& a, Symbol<T> const& b, int block) {
    auto const body = [](auto const& x, auto const& y) { return Op::f(x, y); };
    Symbol<T> const sum = listing_->within(block, [&] { return called<T>(Op::name, body, a, b); });
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

/// Enters a loop for every folded axis; the places in the operand.
template <class Op, class E, AxisBits axes, bool keeps>
Places folded_places(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at,
                     Loops& loops) {
  Quantities const sizes = sizes_of(walk, e.operand);
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

template <class Op, class E, AxisBits axes, bool keeps>
int folded_total(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at, int block) {
  using T = typename E::value_type;
  constexpr bool rounds = std::floating_point<T> && !std::derived_from<Op, op::Extreme>;
  Total<Op, T> total(walk.listing, block, rounds && is_longer_than_a_block<E, axes>());
  Loops loops(walk.listing, block);
  Places const own = folded_places(walk, e, at, loops);
  total.add(element_of(walk, e.operand, own), loops.block());
  loops.close();
  total.finish();
  return total.name();
}

/// The position of the best; -1 where there is none. (Evaluation refuses an empty axis.)
template <class Op, class E, AxisBits axes, bool keeps>
int folded_position(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at, int block) {
  using T = typename E::value_type;
  Listing& l = walk.listing;
  int const best = l.variable(type_text<T>, literal(T(0)), block);
  int const position = l.variable("i32", "-1", block), number = l.variable("i32", "0", block);
  Loops loops(l, block);
  Symbol<T> const x = element_of(walk, e.operand, folded_places(walk, e, at, loops));
  auto const body = [](auto const& a, auto const& b) { return Op::better(a, b); };
  auto const better =
      l.within(loops.block(), [&] { return called<bool>(Op::name, body, x, Symbol<T>(l, best)); });
  int const found =
      l.open("if (" + l.text(number) + " == 0 || " + better.text() + ")", loops.block());
  l.line(found, l.text(best) + " = " + x.text() + ";");
  l.line(found, l.text(position) + " = " + l.text(number) + ";");
  l.close(found);
  l.line(loops.block(), "++" + l.text(number) + ";");
  loops.close();
  return position;
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
  int const name = [&] {
    if constexpr (op::PositionFold<Op>) return folded_position(walk, e, at, block);
    else return folded_total(walk, e, at, block);
  }();
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
  Symbol<T> const a = element_of(walk, e.a, labelled_places(rule.left, places));
  Symbol<T> const b = element_of(walk, e.b, labelled_places(rule.right, places));
  total.add(a * b, loops.block());
  loops.close();
  return Symbol<T>(walk.listing, total.name());
}

}  // namespace tenon::source
