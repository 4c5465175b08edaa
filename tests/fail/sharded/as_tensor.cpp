// expect: Shard<
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp n=4"> x;
Float32<"batch n=4"> const mistaken = x * 2.0f;
