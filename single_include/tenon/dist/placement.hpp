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

#include <memory>
#include <string>
#include <utility>

#include <tenon/tenon.hpp>

namespace tenon {

class Topology;

/// "5 4"; "" for a scalar.
inline std::string sizes_text(Sizes const& sizes, int rank) {
  std::string text;
  for (int i = 0; i < rank; ++i) text += (i == 0 ? "" : " ") + std::to_string(at(sizes, i));
  return text;
}

/// The placement of a sharded tensor: its mesh, and its global sizes. (Sharded types need no MPI:
/// the topology is an incomplete type here.)
class Placement {
 public:
  Placement() = default;
  Placement(std::shared_ptr<Topology const> topology, Sizes const& sizes)
      : topology_(std::move(topology)), sizes_(sizes) {}

  /// Throws `Error` if there is no placement yet.
  std::shared_ptr<Topology const> const& topology() const {
    if (!topology_) throw Error("tenon::Sharded: expected a tensor on a mesh, got none");
    return topology_;
  }
  Sizes const& sizes() const { return sizes_; }

  /// The same mesh with other sizes.
  Placement with_sizes(Sizes const& sizes) const { return {topology(), sizes}; }

 private:
  std::shared_ptr<Topology const> topology_;
  Sizes sizes_ = ones();
};

template <>
struct tree::is_constant<Placement> : std::true_type {};

}  // namespace tenon
