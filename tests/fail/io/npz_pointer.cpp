// expect: error::field_is_no_tree<
// expect: "is a pointer: use Constant<>"
// expect: "scale"
#include <tenon/io/npz.hpp>

struct Data {
  tenon::Float32<"n=2"> weight;
  tenon::Float32<"n=2">* scale = nullptr;
};

auto stored() { return tenon::npz::load<Data>("data.npz"); }
