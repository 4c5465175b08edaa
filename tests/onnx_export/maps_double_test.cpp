#include "maps.hpp"

namespace onnx_cases {

TEST_CASE("onnx::save: every op of doubles") {
  using Ones = op::Joined<op::Unary, op::MoreUnary, op::Predicates>;
  op::for_each(Ones(), []<class Op>() { save_unary<Op, double>(); });
  using Twos = op::Joined<op::Binary, op::MoreBinary, op::Comparisons, op::IntegerBinary>;
  op::for_each(Twos(), []<class Op>() { save_binary<Op, double>(); });
}
TEST_CASE("onnx::save: casts of doubles truncate and saturate") { save_casts<double>(); }

}  // namespace onnx_cases
