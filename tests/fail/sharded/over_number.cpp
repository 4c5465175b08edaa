// expect: malformed_sharding
// expect: "n@2"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "n@2"> mistaken;
