// expect: sharding_does_not_fit
// expect: "local_map"
#include <tenon/distributed/sharding/local_map.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "n@dp d=4"> x;
auto const mistaken = local_map<"n@dp d=5">([](auto const& part) { return part; })(x);
