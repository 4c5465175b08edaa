// expect: tenon::npy: an expression is not stored; evaluate it first, with eval
#include <tenon/io/npy.hpp>
#include <tenon/tenon.hpp>

void copy(tenon::npy::Mapped<tenon::Float32<"n">> const& file) {
  tenon::npy::save("copy.npy", file.view());
}
