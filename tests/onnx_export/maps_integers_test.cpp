#include "maps.hpp"

namespace onnx_cases {

namespace {

template <class T>
void save_all() {
  using Ones = op::Joined<op::Unary, op::IntegerUnary>;
  op::for_each(Ones(), []<class Op>() { save_unary<Op, T>(); });
  using Twos = op::Joined<op::Binary, op::Comparisons, op::IntegerBinary>;
  op::for_each(Twos(), []<class Op>() { save_binary<Op, T>(); });
}

}  // namespace

TEST_CASE("onnx::save: every op of int8 and uint64") {
  save_all<std::int8_t>(), save_all<std::uint64_t>();
}
TEST_CASE("onnx::save: every op of int32 and uint8") {
  save_all<std::int32_t>(), save_all<std::uint8_t>();
}
TEST_CASE("onnx::save: every op of int64 and uint32") {
  save_all<std::int64_t>(), save_all<std::uint32_t>();
}
TEST_CASE("onnx::save: every op of int16 and uint16") {
  save_all<std::int16_t>(), save_all<std::uint16_t>();
}
TEST_CASE("onnx::save: casts of integers") { save_casts<std::int64_t>(); }
TEST_CASE("onnx::save: every op of masks") {
  op::for_each(op::MaskUnary(), []<class Op>() { save_unary<Op, bool>(); });
  op::for_each(op::MaskBinary(), []<class Op>() { save_binary<Op, bool>(); });
}

}  // namespace onnx_cases
