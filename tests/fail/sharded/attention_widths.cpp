// expect: axes_do_not_fit
// expect: "scaled_dot_product_attention"
// expect: "feature=16"
// expect: "feature=8"
#include <tenon/distributed/context_parallel/sharded_attention.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch head=4 query@cp feature=16"> q;
Sharded<float, "batch head=4 key@cp feature=8"> k, v;
auto const mistaken = scaled_dot_product_attention(q, k, v, is_causal);
