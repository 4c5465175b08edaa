// expect: error::field_is_no_tree<
// expect: "has a constructor or private data"
// expect: "scale"
#include <tenon/io/safetensors.hpp>

struct Scale {
  Scale() {}
  tenon::Float32<"n=2"> gamma;
};
struct Model {
  tenon::Frozen<Scale> scale;
};

void store(Model const& model) { tenon::save("model.safetensors", model); }
