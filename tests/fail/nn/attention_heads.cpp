// expect: tenon::MultiHeadAttention: the embedding must be a multiple of the heads
#include <tenon/tenon.hpp>

tenon::MultiHeadAttention<"embed=64", 5> layer;
