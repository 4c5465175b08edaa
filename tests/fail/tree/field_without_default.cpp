// expect: error::field_is_no_tree<
// expect: "has a constructor or private data"
// expect: "block.scale"
#include <tenon/tree/tree.hpp>

struct Scale {
  explicit Scale(float value) : gamma({value, value}) {}
  tenon::Float32<"n=2"> gamma;
};
struct Block {
  tenon::Float32<"n=2"> weight;
  Scale scale;
  tenon::Float32<"n=2"> bias;
};
struct Model {
  tenon::Float32<"n=2"> weight;
  Block block;
};

auto count(Model const& model) { return tenon::tree::count(model); }
