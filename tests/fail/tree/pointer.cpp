// expect: error::field_is_no_tree<
// expect: "is a pointer: use Constant<>"
// expect: "weight"
#include <tenon/tree/tree.hpp>

struct Model {
  tenon::Float32<"n=2"> const* weight;
};

auto count(Model const& model) { return tenon::tree::count(model); }
