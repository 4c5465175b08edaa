// expect: error::field_is_no_tree
// expect: "has a constructor or private data"
// expect: "layer"
// shown in: docs/mistakes.md
#include <tenon/tenon.hpp>

using namespace tenon;

struct Layer {
  Layer() {}
  Float32<"n=2"> weight;
};
struct Model {
  Layer layer;
};

auto mistaken(Model const& model) {
  return grad([](Model const& m) { return sum(m.layer.weight); })(model);
}
