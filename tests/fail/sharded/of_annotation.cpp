// expect: malformed_sharding
// expect: "*n@dp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "*n@dp"> mistaken;
