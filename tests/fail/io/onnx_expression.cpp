// expect: tenon::onnx: an expression is not stored; evaluate it first, with eval
#include <tenon/io/onnx.hpp>
#include <tenon/tenon.hpp>

auto initializers(tenon::Float32<"n=2"> const& x) {
  return tenon::internal::onnx::initializers_of(x + x);
}
