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

#include <optional>

#include <tenon/backend/source/tile_loops.hpp>

/// Matmuls of floats by work groups, fused with the elementwise ops that follow.
namespace tenon::source {

/// The strides of a contraction's operand, and its first element.
struct Lying {
  Sizes steps{};
  std::int64_t start = 0;
};

Lying lying_of(Node factor);
/// The tensor that a contraction's operand reads.
Node base_of(Node factor);

/// Whether a node is a matmul of floats whose operands are in memory.
bool is_tileable(Node e);
/// Whether all sizes of a contraction are static.
bool knows_sizes(Node product);

/// Emits the sums of a matmul of `left` and `right`.
void say_sums_of(TileLoops& tiles, ProductNumbers const& numbers, std::string const& left,
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

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/tiled.backward.ipp>
#include <tenon/backend/source/tiled.ipp>
#endif
