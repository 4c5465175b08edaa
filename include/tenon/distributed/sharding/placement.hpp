#pragma once

#include <memory>
#include <string>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/tensor/index.hpp>
#include <tenon/tree/constant.hpp>

namespace tenon {

class Topology;

}  // namespace tenon

namespace tenon::internal {

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
  Sizes sizes_ = unit_sizes();
};

template <>
struct tree::is_constant<Placement> : std::true_type {};

}  // namespace tenon::internal
