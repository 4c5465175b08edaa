#pragma once

#include <tenon/distributed/zero/shards.hpp>

/// Names of the previous release.
namespace tenon {

template <class Tree>
using ZeroParts [[deprecated("use ZeroShards")]] = ZeroShards<Tree>;

}  // namespace tenon
