// expect: error::field_is_no_tree<
// expect: "is a pointer: use Constant<>"
// expect: "scale"
#include <tenon/io/onnx.hpp>

struct Data {
  tenon::Float32<"n=2"> weight;
  tenon::Float32<"n=2">* scale = nullptr;
};

auto stored() { return tenon::onnx::load<Data>("data.onnx"); }
