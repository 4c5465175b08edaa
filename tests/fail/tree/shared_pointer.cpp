// expect: error::field_is_no_tree<
// expect: "is a pointer: use Constant<>"
// expect: "a_layer_with_a_rather_long_name."
// expect: "weight"
#include <memory>
#include <tenon/tree/tree.hpp>

struct Layer {
  std::shared_ptr<tenon::Float32<"n=2">> weight;
};
struct Model {
  Layer a_layer_with_a_rather_long_name;
};

auto count(Model const& model) { return tenon::tree::count(model); }
