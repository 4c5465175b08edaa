// expect: tenon::safetensors: an expression is not stored; evaluate it first, with eval
#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

void save_sum(tenon::Float32<"n=2"> const& x) { tenon::save("x.safetensors", x + x); }
