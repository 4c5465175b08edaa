// expect: is_not_known_over_shards
// expect: "solve"
// expect: "n=4 m=4@tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "n=4 m=4@tp"> a;
Float32<"n=4"> b;
auto const mistaken = linalg::solve(a, b);
