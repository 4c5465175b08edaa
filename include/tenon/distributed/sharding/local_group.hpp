#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tenon/distributed/collectives/all_reduce.hpp>
#include <tenon/distributed/collectives/all_to_all.hpp>
#include <tenon/distributed/collectives/gather_to.hpp>
#include <tenon/distributed/collectives/shift.hpp>
#include <tenon/distributed/communication/topology.hpp>
#include <tenon/distributed/sharding/sharding.hpp>

/// Groups as seen by a function inside `local_map`. There each rank uses every value differently,
/// so that the adjoints of the result of a collective are summed over its ranks. Collectives
/// without such a form are not provided.
namespace tenon {

class LocalGroup;

}  // namespace tenon

namespace tenon::internal {

namespace mpi {

Group const& ranks_of(LocalGroup const& group);

}  // namespace mpi

}  // namespace tenon::internal

namespace tenon {

/// A group over a mesh axis that divides operands.
class LocalGroup {
 public:
  explicit LocalGroup(Group group) : group_(std::move(group)) {}

  int size() const { return group_.size(); }
  int rank() const { return group_.rank(); }

 private:
  friend Group const& internal::mpi::ranks_of(LocalGroup const& group);
  Group group_;
};

}  // namespace tenon

namespace tenon::internal {

namespace mpi {

inline Group const& ranks_of(LocalGroup const& group) { return group.group_; }

}  // namespace mpi

}  // namespace tenon::internal

namespace tenon {

/// The mesh of the operands, with the axes that divide any of them.
class LocalMesh {
 public:
  LocalMesh(Topology const& mesh, std::string_view axes) : mesh_(mesh), axes_(axes) {}

  /// The group over an axis. Throws `Error` if the axis divides no operand.
  LocalGroup group(std::string_view axis) const {
    if (!internal::lists(axes_, axis))
      throw Error("tenon::local_map: expected an axis of the mesh that divides operands, \"" +
                  axes_ + "\", got \"" + std::string(axis) + "\"");
    return LocalGroup(mesh_.group(axis));
  }

 private:
  Topology mesh_;
  std::string axes_;
};

}  // namespace tenon

namespace tenon::internal {

/// `all_reduce` whose result each rank uses differently: adjoints are summed, too.
template <class Fold = op::sum, Expression X>
auto all_reduce(X&& x, LocalGroup const& group,
                mpi::SourceLocation where = mpi::SourceLocation::current()) {
  auto result = all_reduce<Fold>(std::forward<X>(x), mpi::ranks_of(group), where);
  if constexpr (InexactType<typename decltype(result)::value_type>)
    return copy_to(std::move(result), mpi::ranks_of(group), where);
  else return result;
}

/// `all_gather`, likewise: the backward is one reduce_scatter. JAX: `lax.all_gather` in
/// `shard_map`.
template <Axes axis, Expression X>
auto all_gather(X&& x, LocalGroup const& group,
                mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return gather_to<axis>(std::forward<X>(x), mpi::ranks_of(group), where);
}

/// `reduce_scatter`: each rank receives its shard.
template <Axes axis, Expression X>
auto reduce_scatter(X&& x, LocalGroup const& group,
                    mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return reduce_scatter<axis>(std::forward<X>(x), mpi::ranks_of(group), where);
}

/// `all_to_all`, likewise. JAX: `lax.all_to_all` in `shard_map`.
template <Axes cut, Axes joined, Expression X>
auto all_to_all(X&& x, LocalGroup const& group,
                mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return all_to_all<cut, joined>(std::forward<X>(x), mpi::ranks_of(group), where);
}

/// `shift`: each rank receives the value of its neighbour. JAX: `lax.ppermute` in `shard_map`.
template <Expression X>
auto shift(X&& x, int by, LocalGroup const& group, Ends ends = Ends::ring,
           mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return shift(std::forward<X>(x), by, mpi::ranks_of(group), ends, where);
}

/// The argument that replaces a mesh in `local_map`.
inline LocalMesh local_mesh(Topology const& mesh, std::string_view axes) { return {mesh, axes}; }

}  // namespace tenon::internal

namespace tenon {

using internal::all_gather;
using internal::all_reduce;
using internal::all_to_all;
using internal::local_mesh;
using internal::reduce_scatter;
using internal::shift;

}  // namespace tenon
