// expect: PartialShard
// expect: Shard<
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp n=4"> x;
Sharded<float, "n=4"> const mistaken = sum<"batch">(x);
