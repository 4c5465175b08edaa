// expect: mesh_axis_divides_twice
// expect: "matmul"
// expect: "tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@tp in=128"> x;
Sharded<float, "in=128 out=8@tp"> w;
auto const mistaken = matmul(x, w);
