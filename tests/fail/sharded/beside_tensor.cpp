// expect: tensor_is_on_no_mesh
// expect: "add"
// expect: "n=4"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp n=4"> x;
Float32<"n=4"> b;
auto const mistaken = x + b;
