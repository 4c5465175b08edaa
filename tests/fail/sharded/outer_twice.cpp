// expect: mesh_axis_divides_twice
// expect: "mul"
// expect: "tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "a@tp b=1"> x;
Sharded<float, "a=1 b@tp"> y;
auto const mistaken = x * y;
