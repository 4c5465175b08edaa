// expect: error::field_is_no_tree<
// expect: "has a constructor or private data"
// expect: "scale"
#include <tenon/tree/tree.hpp>

struct Scale {
  explicit Scale(float value) : gamma({value, value}) {}
  tenon::Float32<"n=2"> gamma;
};
struct Model {
  Scale scale;
  std::optional<tenon::Float32<"n=2">> bias;
};

auto count(Model const& model) { return tenon::tree::count(model); }
