// expect: is_not_known_over_shards
// expect: "logsumexp with keep"
// expect: "batch@dp n=4"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp n=4"> x;
auto const mistaken = logsumexp<"n">(x, keep);
