// expect: value_is_partial_over
// expect: "scaled_dot_product_attention"
// expect: "tp"
#include <tenon/distributed/context_parallel/sharded_attention.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch query in=8@tp"> x;
Sharded<float, "in=8@tp head=4 feature=16"> w;
Sharded<float, "batch head=4 key feature=16"> k, v;
auto const q = einsum<"batch query in, in head feature -> batch head query feature">(x, w);
auto const mistaken = scaled_dot_product_attention(q, k, v, is_causal);
