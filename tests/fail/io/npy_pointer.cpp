// expect: tenon::npy: expected a tensor or a number; npz files store structs
#include <tenon/io/npy.hpp>

auto load_elements() { return tenon::npy::load<float*>("x.npy"); }
