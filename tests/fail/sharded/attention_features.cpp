// expect: axis_is_divided_reshard_first
// expect: "causal_attention"
// expect: "feature=16@tp"
#include <tenon/distributed/context_parallel/sharded_attention.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch query head=4 feature=16@tp"> q;
Sharded<float, "batch key head=4 feature=16@tp"> k, v;
auto const mistaken = causal_attention(q, k, v);
