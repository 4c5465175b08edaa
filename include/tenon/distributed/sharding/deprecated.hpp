#pragma once

#include <tenon/distributed/sharding/reshard.hpp>

/// Names of the previous release.
namespace tenon::internal {

template <ShardType X>
[[deprecated("use unshard")]] auto whole(
    X const& x, mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return unshard(x, where);
}

}  // namespace tenon::internal

namespace tenon {

using internal::whole;

}  // namespace tenon
