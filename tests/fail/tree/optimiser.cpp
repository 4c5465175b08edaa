// expect: error::field_is_no_tree<
// expect: "is a pointer: use Constant<>"
// expect: "scale"
#include <memory>
#include <tenon/tenon.hpp>

struct Model {
  tenon::Float32<"n=2"> weight;
  std::unique_ptr<tenon::Float32<"n=2">> scale;
};

auto state(Model const& model) { return tenon::AdamW{}.init(model); }
