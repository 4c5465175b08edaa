#include "unary_values.hpp"

namespace unary_float_test {

using namespace every_op;

TEST_CASE_TEMPLATE("every unary op has its value in every lane and every tail", D, Cpu, Reference) {
  op::for_each(op::Unary{}, []<class Op>() { unary_values<Op, float, D>(); });
}

}  // namespace unary_float_test
