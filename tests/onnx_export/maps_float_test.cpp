#include "maps.hpp"

namespace onnx_cases {

TEST_CASE("onnx::save: every op of floats") {
  using Ones = op::Joined<op::Unary, op::Predicates>;
  op::for_each(Ones(), []<class Op>() { save_unary<Op, float>(); });
  using Twos = op::Joined<op::Binary, op::Comparisons, op::IntegerBinary>;
  op::for_each(Twos(), []<class Op>() { save_binary<Op, float>(); });
}

}  // namespace onnx_cases
