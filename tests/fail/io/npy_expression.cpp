// expect: tenon::npy: an expression is not stored; evaluate it first, with eval
#include <tenon/io/npy.hpp>
#include <tenon/tenon.hpp>

void save_sum(tenon::Float32<"n=2"> const& x) { tenon::npy::save("x.npy", x + x); }
