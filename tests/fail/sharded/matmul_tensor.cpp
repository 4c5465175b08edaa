// expect: tensor_is_on_no_mesh
// expect: "matmul"
// expect: "n=4 m=2"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp n=4"> x;
Float32<"n=4 m=2"> w;
auto const mistaken = matmul(x, w);
