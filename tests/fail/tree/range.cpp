// expect: error::field_is_no_tree<
// expect: "is a range: use std::vector"
// expect: "layers"
#include <list>
#include <tenon/tree/tree.hpp>

struct Model {
  std::list<tenon::Float32<"n=2">> layers;
};

auto count(Model const& model) { return tenon::tree::count(model); }
