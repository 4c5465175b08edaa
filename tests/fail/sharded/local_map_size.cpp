// expect: size_of_whole_is_not_known
// expect: "local_map"
// expect: "m@dp"
#include <tenon/distributed/sharding/local_map.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "n@dp d=4"> x;
auto const mistaken = local_map<"m@dp d">([](auto const& part) { return part; })(x);
