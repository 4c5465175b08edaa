#pragma once

#include <optional>

#include <tenon/backend/source/tile_loops.hpp>

/// Products of floats by groups of work items, with the maps that follow.
namespace tenon::source {

/// Where the elements of a product's factor lie: steps along its axes, and the first one.
struct Lying {
  Sizes steps{};
  std::int64_t start = 0;
};

Lying lying_of(Node factor);
/// The tensor that a product's factor reads.
Node base_of(Node factor);

/// Is a node a product of floats whose factors lie in memory?
bool is_tileable(Node e);
/// Do types know all sizes of a product?
bool knows_sizes(Node product);

/// Says the sums of a product of `left` and `right`.
void say_sums_of(TileLoops& tiles, ProductNumbers const& numbers, std::string const& left,
                 std::string const& right);

/// A product in numbers, where a kernel in tiles is worth it; none where it is not.
std::optional<ProductNumbers> tiles_of(Functions const& functions, Node e);

/// A product whose kernel goes on to compute a recipe that reads it at `value`; `stores` says
/// whether it is wanted there, too.
struct ProductValue {
  void const* value = nullptr;
  bool stores = false;
};

/// The kernel of a product in tiles, and of a recipe that reads it, or of it alone.
Kernel tiled(Functions& functions, ProductNumbers const& numbers, Node product, Node e,
             ProductValue own = {});

/// The adjoint of a factor as a product in numbers: where it is asked for and worth tiles, and no
/// element of the factor is read twice.
std::optional<ProductNumbers> tiles_back(Functions const& functions, Wanted const& wanted, Node e,
                                         bool is_left);

/// The kernel that adds to the adjoint of a factor.
Kernel tiled_factor(Functions& functions, std::string name, ProductNumbers const& numbers, Node e,
                    bool is_left);

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/tiled.backward.ipp>
#include <tenon/backend/source/tiled.ipp>
#endif
