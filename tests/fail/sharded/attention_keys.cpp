// expect: shardings_differ
// expect: "scaled_dot_product_attention"
// expect: "query@cp"
// expect: "key"
#include <tenon/distributed/context_parallel/sharded_attention.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp head=4@tp query@cp feature=16"> q;
Sharded<float, "batch@dp head=4@tp key feature=16"> k, v;
auto const mistaken = scaled_dot_product_attention(q, k, v, is_causal);
