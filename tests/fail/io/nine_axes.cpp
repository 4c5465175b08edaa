// expect: tenon::safetensors: a complex128 has at most 7 axes here, its parts are another
#include <tenon/io/safetensors.hpp>
#include <tenon/tensor/complex.hpp>

void save_wave(tenon::Complex128<"1 1 1 1 1 1 1 2"> const& wave) {
  tenon::save("x.safetensors", wave);
}
