// expect: error::field_is_no_tree<
// expect: "cannot be default-constructed"
// expect: "layer"
#include <tenon/tree/tree.hpp>

struct Layer {
  tenon::Float32<"n=2">& weight;
};
struct Model {
  std::vector<Layer> layer;
};

auto count(Model const& model) { return tenon::tree::count(model); }
