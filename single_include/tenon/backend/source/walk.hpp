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

#include <functional>
#include <map>
#include <set>

#include <tenon/backend/source/cut.hpp>
#include <tenon/backend/source/memory.hpp>
#include <tenon/backend/source/place.hpp>
#include <tenon/backend/source/scalars.hpp>
#include <tenon/backend/source/symbol_halves.hpp>
#include <tenon/tenon.hpp>

namespace tenon::source {

/// What a recipe is: equal types over equal leaves are one.
using Identity = std::vector<std::uint64_t>;

/// The folds of a recipe that kernels of their own fold in pieces: what is left of each piece is in
/// memory, row after row.
struct Folded {
  struct Parts {
    std::string_view type;
    std::int64_t elements, element_bytes;
  };
  /// A node by its address and its type; equal folds have the same parts.
  std::map<std::pair<void const*, void const*>, std::size_t> places{};
  std::vector<Parts> all{};

  template <class E>
  static std::pair<void const*, void const*> node(E const& e) {
    return {&e, &type_mark<E>};
  }
  template <class E>
  bool has(E const& e) const {
    return places.contains(node(e));
  }
  template <class E>
  std::size_t place_of(E const& e) const {
    return places.at(node(e));
  }
};

/// What is known while a kernel is printed.
struct Walk {
  explicit Walk(Functions& functions) : listing(functions), scalars{functions.are_for_device} {}
  Walk(Walk const&) = delete;

  Listing listing;
  Variables variables;
  Memories memories{variables};
  Scalars scalars;
  Rows rows{};
  Quantities product_sizes{};
  Quantities steps_of_result{};  ///< Where it does not lie row-major.
  bool has_steps_of_result = false;
  std::function<int(Places const&)> product;  ///< The name of an element of `own_product`.
  void const* own_value = nullptr;            ///< The memory that stands for it; or null.
  std::map<Identity, Quantities> sizes{};     ///< Of nodes, by what they are.
  std::map<Identity, Quantities> steps{};     ///< Of nodes with steps of their own.
  std::map<Identity, int> folds{};            ///< Names, by what is folded where.

  Cut cut{};
  std::vector<int> apart{};          ///< Blocks in which members of a group are apart.
  std::set<std::string> shared{};    ///< Names of memory that the group has.
  std::string piece{};               ///< Which of its row this is, where rows are cut.
  Quantity pieces{};                 ///< How many there are.
  Folded const* folded = nullptr;    ///< Folds that earlier kernels have folded in pieces.
  std::vector<std::size_t> parts{};  ///< Which of these the kernel reads.

  /// The name of such parts.
  std::string parts_of(std::size_t place) {
    if (std::ranges::find(parts, place) == parts.end()) parts.push_back(place);
    return "p" + std::to_string(place);
  }
  Dialect const& dialect() { return listing.functions().dialect(); }
  /// Is a block one that all members of a group run at a time?
  bool is_together(int block) const {
    return std::ranges::none_of(apart, [&](int other) { return listing.is_in(block, other); });
  }

  Indexing indexing() { return {listing, variables, rows}; }

  /// Does a leaf stand for the product that the kernel computes itself?
  template <class E>
  bool reads_own_product(E const& leaf) const {
    if constexpr (TensorType<E>)
      return own_value != nullptr && internal::stored_elements(leaf) == own_value;
    else return is_own_product(leaf);
  }
};

[[gnu::noinline]] inline void add_to(Identity& identity, std::uint64_t number) {
  identity.push_back(number);
}
template <class E>
void identify(Walk& walk, E const& e, Identity& identity) {
  add_to(identity, reinterpret_cast<std::uintptr_t>(&type_mark<E>));
  if constexpr (Leaf<E>)
    add_to(identity, walk.reads_own_product(e) ? 0 : walk.memories.find(e) + 1);
  if constexpr (is_constant<E>) add_to(identity, bits_of_number(e.value));
  each_number(e,
              [&](std::int64_t number) { add_to(identity, static_cast<std::uint64_t>(number)); });
  each_operand(e, [&](auto const& operand) { identify(walk, operand, identity); });
}
template <class E>
Identity identity(Walk& walk, E const& e) {
  Identity result;
  identify(walk, e, result);
  return result;
}

// The sizes of a node: sizes that evaluation has found equal are one argument.

template <class E>
Quantities sizes_of(Walk& walk, E const& e);

template <class Op, class... E>
Quantities found_sizes(Walk& walk, Elementwise<Op, E...> const& e) {
  auto const& aligned = Elementwise<Op, E...>::types::aligned;
  Quantities result = walk.memories.quantities(aligned.shape, e.sizes());
  std::size_t k = 0;
  each_operand(e, [&](auto const& operand) {
    Quantities const own = sizes_of(walk, operand);
    for (std::size_t i = 0; i < static_cast<std::size_t>(operand.shape.rank); ++i) {
      int const axis = aligned.maps[k][i];
      if (axis >= 0) walk.variables.same(result[static_cast<std::size_t>(axis)], own[i]);
    }
    ++k;
  });
  return result;
}

template <class Op, class E, AxisBits axes, bool keeps>
Quantities found_sizes(Walk& walk, Fold<Op, E, axes, keeps> const& e) {
  Quantities const from = sizes_of(walk, operand_at<0>(e));
  Quantities result{};
  std::size_t to = 0;
  for (int i = 0; i < E::shape.rank; ++i) {
    bool const folds = has_axis(axes, i);
    if (!folds) result[to] = from[static_cast<std::size_t>(i)];
    to += folds && !keeps ? 0 : 1;
  }
  return result;
}

template <class Table, class Ids, int axis>
Quantities found_sizes(Walk& walk, Gather<Table, Ids, axis> const& e) {
  Quantities const rows = sizes_of(walk, operand_at<0>(e)),
                   chosen = sizes_of(walk, operand_at<1>(e));
  Quantities result{};
  for (int i = 0; i < Gather<Table, Ids, axis>::shape.rank; ++i) {
    bool const is_chosen = i >= axis && i < axis + Ids::shape.rank;
    int const from = is_chosen ? i - axis : i < axis ? i : i - Ids::shape.rank + 1;
    result[static_cast<std::size_t>(i)] =
        is_chosen ? chosen[static_cast<std::size_t>(from)] : rows[static_cast<std::size_t>(from)];
  }
  return result;
}

template <class Table, class Ids, int axis>
Quantities found_sizes(Walk& walk, PickAlong<Table, Ids, axis> const& e) {
  return sizes_of(walk, operand_at<1>(e));
}

template <class Table, class Ids, int axis>
Quantities found_sizes(Walk& walk, TakeAlong<Table, Ids, axis> const& e) {
  Quantities const table = sizes_of(walk, operand_at<0>(e)), ids = sizes_of(walk, operand_at<1>(e));
  for (std::size_t i = 0; i < max_rank; ++i) {
    if (i != axis) walk.variables.same(ids[i], table[i]);
  }
  return ids;
}

/// The sizes of the labels of a product.
template <class A, class B, class Rule>
std::array<Quantity, max_labels> label_quantities(Walk& walk, Contract<A, B, Rule> const& e) {
  Contraction const& rule = Rule::contraction;
  Quantities const a = sizes_of(walk, operand_at<0>(e)), b = sizes_of(walk, operand_at<1>(e));
  std::array<Quantity, max_labels> result{};
  auto const add = [&](AxisMap const& labels, Quantities const& sizes, int rank) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
      if (labels[i] < 0) continue;
      Quantity& known = result[static_cast<std::size_t>(labels[i])];
      if (known.is_one()) known = sizes[i];
      else walk.variables.same(known, sizes[i]);
    }
  };
  add(rule.left, a, A::shape.rank);
  add(rule.right, b, B::shape.rank);
  return result;
}

template <class A, class B, class Rule>
Quantities found_sizes(Walk& walk, Contract<A, B, Rule> const& e) {
  auto const labels = label_quantities(walk, e);
  Quantities result{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(Rule::contraction.shape.rank); ++i) {
    int const label = Rule::contraction.out[i];
    if (label >= 0) result[i] = labels[static_cast<std::size_t>(label)];
  }
  return result;
}

template <class T>
Quantities found_sizes(Walk&, ConstantNode<T> const&) {
  return {};
}
template <Leaf E>
Quantities found_sizes(Walk& walk, E const& leaf) {
  if (walk.reads_own_product(leaf)) return walk.product_sizes;
  return walk.memories[walk.memories.find(leaf)].sizes;
}
template <class E, PackedMap order, Spec S>
Quantities found_sizes(Walk& walk, Moved<E, order, S> const& e) {
  (void)sizes_of(walk, operand_at<0>(e));
  return walk.memories.quantities(e.shape, e.sizes());
}

template <class E, Spec S, bool by_one>
Quantities found_sizes(Walk& walk, Stepped<E, S, by_one> const& e) {
  return walk.memories.quantities(e.shape, e.extents);
}

template <class E>
Quantities sizes_of(Walk& walk, E const& e) {
  Identity const key = identity(walk, e);
  if (auto const known = walk.sizes.find(key); known != walk.sizes.end()) return known->second;
  return walk.sizes[key] = found_sizes(walk, e);
}

}  // namespace tenon::source
