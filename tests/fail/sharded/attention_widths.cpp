// expect: axes_do_not_fit
// expect: "einsum"
// expect: "feature=16"
// expect: "feature=8"
#include <tenon/distributed/context_parallel/sharded_attention.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch query@cp head=4 feature=16"> q;
Sharded<float, "batch key@cp head=4 feature=8"> k, v;
auto const mistaken = causal_attention(q, k, v);
