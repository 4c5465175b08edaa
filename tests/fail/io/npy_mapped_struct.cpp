// expect: tenon::npy::Mapped: expected a tensor type
#include <tenon/io/npy.hpp>

struct Model {
  tenon::Float32<"n=2"> weight;
};

void map_model() { tenon::npy::Mapped<Model> const file("x.npy"); }
