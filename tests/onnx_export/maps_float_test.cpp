#include "maps.hpp"

namespace onnx_cases {

TEST_CASE("onnx::save: every op of floats") {
  using Ones = op::Joined<op::Unary, op::MoreUnary, op::Predicates>;
  op::for_each(Ones(), []<class Op>() { save_unary<Op, float>(); });
  using Twos = op::Joined<op::Binary, op::MoreBinary, op::Comparisons, op::IntegerBinary>;
  op::for_each(Twos(), []<class Op>() { save_binary<Op, float>(); });
}
TEST_CASE("onnx::save: casts of floats truncate and saturate") { save_casts<float>(); }
TEST_CASE("onnx::save: the operator Gelu") {
  using X = Tensor<float, "n">;
  auto const keep = [](std::string const& name, X (*f)(X const&)) {
    save_case_with({.opset = 20}, name, f, UnaryInputs<float>{numbers<X>(1, 4)},
                   UnaryInputs<float>{edges<float>()});
  };
  keep("op_gelu@20_float32", [](X const& x) { return mapped<op::Gelu>(x); });
  keep("op_gelu_tanh@20_float32", [](X const& x) { return mapped<op::GeluTanh>(x); });
}

}  // namespace onnx_cases
