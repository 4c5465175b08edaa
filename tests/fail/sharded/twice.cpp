// expect: malformed_sharding
// expect: "n@dp m@dp"
// expect: divides the tensor twice
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "n@dp m@dp"> mistaken;
