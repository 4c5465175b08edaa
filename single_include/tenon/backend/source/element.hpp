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

#include <tuple>

#include <tenon/backend/source/walk.hpp>
#include <tenon/tenon.hpp>

/// One element of a recipe in names, node by node as `eval/element.hpp` defines it.
namespace tenon::source {

/// Says of a value where it comes from: `relu "n k"`.
inline void comment(Listing& listing, int name, std::string_view what, std::string_view spec) {
  listing.comment(name, std::string(what).append(" \"").append(spec) + "\"");
}
template <class E, class T>
Symbol<T> commented(Symbol<T> const& value, std::string_view what) {
  if (!value.is_number()) comment(*value.listing, value.name, what, spec_of<E>.view());
  return value;
}

template <class T>
Symbol<T> element_of(Walk& walk, ConstantNode<T> const& constant, Places const&) {
  if (!walk.scalars.are_arguments) return constant.value;
  return Symbol<T>(walk.listing, walk.scalars.name(walk.listing, constant.value));
}

template <Leaf E>
auto element_of(Walk& walk, E const& leaf, Places const& at) {
  using T = typename E::value_type;
  if (walk.reads_own_product(leaf)) return Symbol<T>(walk.listing, walk.product(at));
  Memory const& memory = walk.memories[walk.memories.find(leaf)];
  IndexText const index = memory.is_view
                              ? strided_index(walk.indexing(), memory.strides, E::shape.rank, at)
                              : row_major_index(walk.indexing(), memory.sizes, E::shape.rank, at);
  std::string const text = memory.name + "[" + index.text + "]";
  return Symbol<T>(walk.listing, walk.listing.value(type_text<T>, text, index.names));
}

/// The steps of a node that has its own: numbers where the type knows all sizes.
template <class E, Spec S, bool by_one>
Quantities steps_of(Walk& walk, Stepped<E, S, by_one> const& e) {
  constexpr int rank = Stepped<E, S, by_one>::shape.rank;
  Identity const key = identity(walk, e);
  if (auto const known = walk.steps.find(key); known != walk.steps.end()) return known->second;
  Quantities steps{};
  for (std::size_t i = 0; i < max_rank; ++i) steps[i] = {e.steps.along[i]};
  if (!E::shape.is_static()) steps = walk.memories.strides(rank, e.steps.along);
  return walk.steps[key] = steps;
}

template <class E, Spec S, bool by_one>
auto element_of(Walk& walk, Stepped<E, S, by_one> const& e, Places const& at) {
  using Node = Stepped<E, S, by_one>;
  using T = typename E::value_type;
  IndexText const index =
      strided_index(walk.indexing(), steps_of(walk, e), Node::shape.rank, at, e.steps.start);
  std::string const name = walk.memories[walk.memories.find(operand_at<0>(e))].name;
  return Symbol<T>(walk.listing,
                   walk.listing.value(type_text<T>, name + "[" + index.text + "]", index.names));
}

/// Where an operand of a map is, whose axes stand at those of the map.
inline Places operand_places(AxisMap const& map, int rank, Places const& at) {
  Places own{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
    if (map[i] >= 0) own[i] = at[static_cast<std::size_t>(map[i])];
  }
  return own;
}

/// The element of operand k of a map.
template <std::size_t k, class Node, class E>
auto operand_of(Walk& walk, E const& operand, Places const& at) {
  return element_of(walk, operand, operand_places(Node::types::maps[k], E::shape.rank, at));
}

template <class Node, class... V>
auto op_of(V const&... x) {
  using Op = typename Node::op;
  return commented<Node>(called<typename Node::value_type>(Op::name, BodyOf<Op>(), x...), Op::name);
}

/// The elements of all operands of a map, said in order.
template <class Op, class... E>
auto operands_of(Walk& walk, Elementwise<Op, E...> const& e, Places const& at) {
  using Node = Elementwise<Op, E...>;
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return std::tuple<Symbol<typename E::value_type>...>{
        operand_of<k, Node>(walk, operand_at<k>(e), at)...};
  }(std::index_sequence_for<E...>());
}
template <class Op, class... E>
auto element_of(Walk& walk, Elementwise<Op, E...> const& e, Places const& at) {
  return std::apply([](auto const&... x) { return op_of<Elementwise<Op, E...>>(x...); },
                    operands_of(walk, e, at));
}

// Where the operand of a move is, or the table of a choice.

template <class E, PackedMap order, Spec S>
Places places_below(Walk&, Moved<E, order, S> const& e, Places const& at) {
  using Node = Moved<E, order, S>;
  Places own{};
  for (std::size_t i = 0; i < max_rank; ++i) own[i].start = e.start[i];
  for (std::size_t i = 0; i < static_cast<std::size_t>(Node::shape.rank); ++i) {
    if (Node::order[i] < 0) continue;
    Place& place = own[static_cast<std::size_t>(Node::order[i])];
    place.terms.insert(place.terms.end(), at[i].terms.begin(), at[i].terms.end());
    place.start += at[i].start;
  }
  return own;
}
template <class E>
  requires is_move<E>
auto element_of(Walk& walk, E const& e, Places const& at) {
  return element_of(walk, operand_at<0>(e), places_below(walk, e, at));
}

/// The name of an id, or of the nearest below `size`.
inline int kept_inside(Walk& walk, int id, Quantity const& size) {
  if (!walk.listing.functions().are_for_device) return id;
  std::string const pattern = "$0 < 0 ? 0 : $0 < $1 ? $0 : $1 - 1";
  return walk.listing.value(
      "i64", filled(pattern, {walk.listing.text(id), walk.variables.text(size)}), {id});
}

/// The place along the axis of a table that an id names.
template <GatherNode E>
Place chosen(Walk& walk, E const& e, Places const& at) {
  int const id = convert<std::int64_t>(element_of(walk, operand_at<1>(e), at)).name;
  return {{kept_inside(walk, id, sizes_of(walk, operand_at<0>(e))[E::axis])}};
}

template <class Table, class Ids, int axis>
Places places_below(Walk& walk, Gather<Table, Ids, axis> const& e, Places const& at) {
  Places of_id{}, own{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(Ids::shape.rank); ++i)
    of_id[i] = at[axis + i];
  for (int i = 0; i < Table::shape.rank; ++i) {
    int const from = i < axis ? i : i - 1 + Ids::shape.rank;
    if (i != axis) own[static_cast<std::size_t>(i)] = at[static_cast<std::size_t>(from)];
  }
  own[axis] = chosen(walk, e, of_id);
  return own;
}

template <class Table, class Ids, int axis>
Places places_below(Walk& walk, PickAlong<Table, Ids, axis> const& e, Places const& at) {
  Places own{};
  for (int i = 0; i < Table::shape.rank; ++i) {
    int const from = i < axis ? i : i - 1;
    if (i != axis) own[static_cast<std::size_t>(i)] = at[static_cast<std::size_t>(from)];
  }
  own[axis] = chosen(walk, e, at);
  return own;
}

template <class Table, class Ids, int axis>
Places places_below(Walk& walk, TakeAlong<Table, Ids, axis> const& e, Places const& at) {
  Places own = at;
  own[axis] = chosen(walk, e, at);
  return own;
}

template <GatherNode E>
auto element_of(Walk& walk, E const& e, Places const& at) {
  auto const value = element_of(walk, operand_at<0>(e), places_below(walk, e, at));
  return commented<E>(value, node_name<E>);
}

}  // namespace tenon::source
