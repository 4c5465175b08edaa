// expect: shardings_differ
// expect: "scaled_dot_product_attention"
// expect: "head=4@tp"
// expect: "head=4"
#include <tenon/distributed/context_parallel/sharded_attention.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch head=4@tp query@cp feature=16"> q;
Sharded<float, "batch head=4 key@cp feature=16"> k, v;
auto const mistaken = scaled_dot_product_attention(q, k, v);
