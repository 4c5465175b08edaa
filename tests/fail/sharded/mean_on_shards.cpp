// expect: axis_is_divided_reshard_first
// expect: "on_shards"
// expect: "batch@dp n=4"
#include <tenon/distributed/sharding/on_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp n=4"> x;
auto const mistaken = on_shards([](auto const& y) { return mean<"batch">(y); })(x);
