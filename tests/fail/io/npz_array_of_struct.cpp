// expect: tenon::npy: expected a tensor or a number; npz files store structs
#include <tenon/io/npz.hpp>

struct Layer {
  tenon::Float32<"n=2"> weight;
};

auto load_layer(tenon::npz::File const& file) { return file.load<Layer>("layer"); }
