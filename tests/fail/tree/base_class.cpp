// expect: error::field_is_no_tree<
// expect: "has a base class: make it a field"
// expect: "(the tree itself)"
#include <tenon/tree/tree.hpp>

struct Layer {
  tenon::Float32<"n=2"> weight;
};
struct Model : Layer {
  tenon::Float32<"n=2"> bias;
};

auto count(Model const& model) { return tenon::tree::count(model); }
