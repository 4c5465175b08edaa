// expect: error::field_is_no_tree<
// expect: "has a virtual function"
// expect: "layer"
#include <tenon/tree/tree.hpp>

struct Layer {
  virtual ~Layer() = default;
  tenon::Float32<"n=2"> weight;
};
struct Model {
  tenon::Float32<"n=2"> weight;
  Layer layer;
};

auto count(Model const& model) { return tenon::tree::count(model); }
