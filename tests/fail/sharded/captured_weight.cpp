// expect: is_not_known_over_shards
// expect: "on_shards"
#include <tenon/distributed/sharding/on_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp n=4"> x;
Float32<"n=4"> w;
auto const mistaken = on_shards([](auto const& y) { return y * w; })(x);
