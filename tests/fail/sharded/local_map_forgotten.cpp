// expect: mesh_axes_of_result_differ
// expect: "local_map"
// expect: "dp"
// shown in: docs/sharded.md
#include <tenon/distributed/sharding/local_map.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "n@dp d=4"> x;
auto const mistaken = local_map<"d=4">([](auto const& part) { return sum<"n">(part); })(x);
