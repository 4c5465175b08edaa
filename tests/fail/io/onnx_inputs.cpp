// expect: inputs_are_not_named<
// expect: "expected a plain struct"
#include <tenon/io/onnx.hpp>
#include <tenon/tenon.hpp>

void save_without_names(tenon::Float32<"batch d=6"> const& x) {
  tenon::onnx::save(
      "model.onnx", [](auto const& y) { return y * 2.0f; }, x);
}
