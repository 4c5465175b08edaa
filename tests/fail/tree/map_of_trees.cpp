// expect: error::field_is_no_tree<
// expect: "has a constructor or private data"
// expect: "scale"
#include <tenon/tree/tree.hpp>

struct Scale {
  Scale() {}
  tenon::Float32<"n=2"> gamma;
};
struct Model {
  tenon::Float32<"n=2"> weight;
  Scale scale;
};

auto twice(Model const& model) {
  return tenon::tree::map([](auto const& leaf) { return leaf; }, model, model);
}
