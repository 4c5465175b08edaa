// expect: tensor_is_on_no_mesh
// expect: "concat"
// expect: "batch t=8"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp t=8"> x;
Float32<"batch t=8"> y;
auto const mistaken = concat<"t">(x, y);
