// expect: shardings_differ
// expect: "causal_attention"
// expect: "query@cp"
// expect: "key"
#include <tenon/distributed/context_parallel/sharded_attention.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp query@cp head=4@tp feature=16"> q;
Sharded<float, "batch@dp key head=4@tp feature=16"> k, v;
auto const mistaken = causal_attention(q, k, v);
