// expect: tensor_is_on_no_mesh
// expect: "scaled_dot_product_attention"
// expect: "batch head=4 key feature=16"
#include <tenon/distributed/context_parallel/sharded_attention.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch head=4 query@cp feature=16"> q;
Float32<"batch head=4 key feature=16"> k, v;
auto const mistaken = scaled_dot_product_attention(q, k, v, is_causal);
