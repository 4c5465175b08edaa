// expect: malformed_sharding
// expect: "n@"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "n@"> mistaken;
