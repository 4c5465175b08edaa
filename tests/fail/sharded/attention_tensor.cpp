// expect: tensor_is_on_no_mesh
// expect: "causal_attention"
// expect: "batch key head=4 feature=16"
#include <tenon/distributed/context_parallel/sharded_attention.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch query@cp head=4 feature=16"> q;
Float32<"batch key head=4 feature=16"> k, v;
auto const mistaken = causal_attention(q, k, v);
