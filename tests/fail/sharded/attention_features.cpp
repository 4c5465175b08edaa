// expect: axis_is_divided_reshard_first
// expect: "scaled_dot_product_attention"
// expect: "feature=16@tp"
#include <tenon/distributed/context_parallel/sharded_attention.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch head=4 query feature=16@tp"> q;
Sharded<float, "batch head=4 key feature=16@tp"> k, v;
auto const mistaken = scaled_dot_product_attention(q, k, v, is_causal);
