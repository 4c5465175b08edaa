// expect: tenon::npz: an expression is not stored; evaluate it first, with eval
#include <tenon/io/npz.hpp>
#include <tenon/tenon.hpp>

void save_sum(tenon::Float32<"n=2"> const& x) { tenon::npz::save("x.npz", x + x); }
