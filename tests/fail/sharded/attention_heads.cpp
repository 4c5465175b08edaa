// expect: shardings_differ
// expect: "full_attention"
// expect: "head=4@tp"
// expect: "head=4"
#include <tenon/distributed/context_parallel/sharded_attention.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch query@cp head=4@tp feature=16"> q;
Sharded<float, "batch key@cp head=4 feature=16"> k, v;
auto const mistaken = full_attention(q, k, v);
