#pragma once

#include <functional>
#include <map>
#include <set>

#include <tenon/backend/source/cut.hpp>
#include <tenon/backend/source/memory.hpp>
#include <tenon/backend/source/place.hpp>
#include <tenon/backend/source/scalars.hpp>

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

  static std::pair<void const*, void const*> node(Node e) { return {e.address(), e.type()}; }
  bool has(Node e) const { return places.contains(node(e)); }
  std::size_t place_of(Node e) const { return places.at(node(e)); }
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
  bool reads_own_product(Node leaf) const;
};

/// What a node is in a kernel.
Identity identity(Walk& walk, Node e);

/// The sizes of a node: sizes that evaluation has found equal are one argument.
Quantities sizes_of(Walk& walk, Node e);

/// The sizes of the labels of a product.
std::array<Quantity, max_labels> label_quantities(Walk& walk, Node e);

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/walk.ipp>
#endif
