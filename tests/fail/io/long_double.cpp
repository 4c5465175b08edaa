// expect: tenon::safetensors: a leaf is neither a tensor nor a number
#include <tenon/io/safetensors.hpp>

struct Model {
  tenon::Float32<"n=2"> weight;
  long double rate = 0;
};

auto load_model() { return tenon::load<Model>("x.safetensors"); }
