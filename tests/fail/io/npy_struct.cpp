// expect: tenon::npy: expected a tensor or a number; npz files store structs
#include <tenon/io/npy.hpp>

struct Model {
  tenon::Float32<"n=2"> weight;
};

auto load_model() { return tenon::npy::load<Model>("x.npy"); }
