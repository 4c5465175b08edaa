// expect: tenon::MultiheadAttention: the embedding must be a multiple of the heads, and the heads
// of queries of those of keys
#include <tenon/tenon.hpp>

tenon::MultiheadAttention<"embed=64", 5> layer;
