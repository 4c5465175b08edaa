#pragma once

#include <optional>

#include <tenon/backend/codegen/matmul/tile_loops.hpp>

/// Matmuls of floats by work groups, fused with the elementwise ops that follow.
namespace tenon::internal::codegen {

/// Whether a node is a matmul of floats whose operands are in memory.
bool is_tileable(Node e);
/// Whether all sizes of a contraction are static.
bool knows_sizes(Node product);

/// Emits the sums of a matmul of `left` and `right`.
void emit_sums_of(TileLoops& tiles, ProductNumbers const& numbers, std::string const& left,
                  std::string const& right);

/// The numbers of a matmul, if a tiled kernel pays; none otherwise.
std::optional<ProductNumbers> tiles_of(Functions const& functions, Node e);

/// A matmul fused with an expression that reads it at `value`; `stores` tells whether it is also
/// stored there.
struct ProductValue {
  void const* value = nullptr;
  bool stores = false;
};

/// The kernel of a tiled matmul, and of an expression that reads it, or of it alone.
Kernel tiled(Functions& functions, ProductNumbers const& numbers, Node product, Node e,
             ProductValue own = {});

/// The adjoint of an operand as a matmul: if it is required and tiles pay, and no element of the
/// operand is read twice.
std::optional<ProductNumbers> tiles_back(Functions const& functions, Wanted const& wanted, Node e,
                                         bool is_left);

/// The kernel that adds to the adjoint of an operand.
Kernel tiled_factor(Functions& functions, std::string name, ProductNumbers const& numbers, Node e,
                    bool is_left);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/matmul/tiled.backward.ipp>
#include <tenon/backend/codegen/matmul/tiled.ipp>
#endif
