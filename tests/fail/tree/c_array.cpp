// expect: error::field_is_no_tree<
// expect: "is a C array: use std::array"
// expect: "weights"
#include <tenon/tree/tree.hpp>

struct Model {
  tenon::Float32<"n=2"> weights[3];
};

auto count(Model const& model) { return tenon::tree::count(model); }
