#pragma once

#include <functional>
#include <map>
#include <set>

#include <tenon/backend/codegen/node/memory.hpp>
#include <tenon/backend/codegen/node/scalars.hpp>
#include <tenon/backend/codegen/text/index.hpp>
#include <tenon/backend/codegen/text/row_partition.hpp>

namespace tenon::internal::codegen {

/// The identity of an expression: equal types over equal leaves are equal.
using Identity = std::vector<std::uint64_t>;

/// The reductions of an expression that separate kernels compute in chunks: the partial results are
/// in memory, row after row.
struct Reduced {
  struct Parts {
    std::string_view type;
    std::int64_t elements, element_bytes;
  };
  /// A node by its address and its type; equal reductions share partial results.
  std::map<std::pair<void const*, void const*>, std::size_t> places{};
  std::vector<Parts> all{};

  static std::pair<void const*, void const*> node(Node e) { return {e.address(), e.type()}; }
  bool has(Node e) const { return places.contains(node(e)); }
  std::size_t place_of(Node e) const { return places.at(node(e)); }
};

/// The codegen context of a kernel.
struct Walk {
  explicit Walk(Functions& functions) : listing(functions), scalars{functions.are_for_device} {}
  Walk(Walk const&) = delete;

  Listing listing;
  Variables variables;
  Memories memories{variables};
  Scalars scalars;
  Rows rows{};
  Quantities product_sizes{};
  Quantities steps_of_result{};  ///< If it is not row-major.
  bool has_steps_of_result = false;
  std::function<int(Places const&)> product;  ///< The name of an element of `own_product`.
  void const* own_value = nullptr;            ///< The memory that represents it; or null.
  std::map<Identity, Quantities> sizes{};     ///< Of nodes, by identity.
  std::map<Identity, Quantities> steps{};     ///< Of nodes with explicit strides.
  std::map<Identity, int> reductions{};       ///< Names, by reduction and indices.

  Cut cut{};
  std::vector<int> apart{};          ///< Blocks in which work items of a group diverge.
  std::set<std::string> shared{};    ///< Names of group memory.
  std::string piece{};               ///< The chunk of the row, if rows are split.
  Quantity pieces{};                 ///< The number of chunks.
  Reduced const* reduced = nullptr;  ///< Reductions computed in chunks by earlier kernels.
  std::vector<std::size_t> parts{};  ///< Those that the kernel reads.

  /// The name of such partial results.
  std::string parts_of(std::size_t place) {
    if (std::ranges::find(parts, place) == parts.end()) parts.push_back(place);
    return "p" + std::to_string(place);
  }
  Dialect const& dialect() { return listing.functions().dialect(); }
  /// Whether all work items of a group run a block together.
  bool is_together(int block) const {
    return std::ranges::none_of(apart, [&](int other) { return listing.is_in(block, other); });
  }

  Indexing indexing() { return {listing, variables, rows}; }

  /// Whether a leaf represents the matmul that the kernel computes itself.
  bool reads_own_product(Node leaf) const;
};

/// The identity of a node in a kernel.
Identity identity(Walk& walk, Node e);

/// The sizes of a node: sizes found equal by evaluation are one argument.
Quantities sizes_of(Walk& walk, Node e);

/// The sizes of the labels of a contraction.
std::array<Quantity, max_labels> label_quantities(Walk& walk, Node e);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/emit/context.ipp>
#endif
