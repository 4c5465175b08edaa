// expect: error::field_is_no_tree<
// expect: "has a constructor or private data"
// expect: "blocks.attention.scale"
#include <tenon/tree/tree.hpp>

struct Scale {
  Scale() = default;
  explicit Scale(float value) : gamma({value, value}) {}
  tenon::Float32<"n=2"> gamma;
};
struct Attention {
  tenon::Float32<"n=2"> weight;
  Scale scale;
};
struct Block {
  Attention attention;
};
struct Model {
  std::array<Block, 2> blocks;
};

auto count(Model const& model) { return tenon::tree::count(model); }
