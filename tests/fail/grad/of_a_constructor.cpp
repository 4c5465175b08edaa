// expect: error::field_is_no_tree<
// expect: "value_and_grad"
// expect: "has a constructor or private data"
// expect: "norm.scale"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Scale {
  Scale() {}
  Float32<"n=2"> gamma;
};
struct Norm {
  Scale scale;
};
struct Model {
  Float32<"n=2"> weight;
  Norm norm;
};

auto mistaken(Model const& model) {
  return value_and_grad([](Model const& m) { return sum(m.weight * m.norm.scale.gamma); })(model);
}
