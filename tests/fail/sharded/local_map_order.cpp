// expect: mesh_axes_of_result_differ
// expect: "local_map"
#include <tenon/distributed/sharding/local_map.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "n@dp@cp d=4"> x;
auto const mistaken = local_map<"n@cp@dp d">([](auto const& part) { return part; })(x);
