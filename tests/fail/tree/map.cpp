// expect: error::field_is_no_tree<
// expect: "is a map: use Constant<>"
// expect: "layers"
#include <map>
#include <tenon/tree/tree.hpp>

struct Model {
  tenon::Float32<"n=2"> weight;
  std::map<std::string, tenon::Float32<"n=2">> layers;
};

auto count(Model const& model) { return tenon::tree::count(model); }
