// expect: shardings_differ
// expect: "scaled_dot_product_attention"
// expect: "key@cp"
// expect: "key@tp"
#include <tenon/distributed/context_parallel/sharded_attention.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch head=4 query@cp feature=16"> q;
Sharded<float, "batch head=4 key@cp feature=16"> k;
Sharded<float, "batch head=4 key@tp feature=16"> v;
auto const mistaken = scaled_dot_product_attention(q, k, v);
