#include "unary_values.hpp"

namespace unary_double_test {

using namespace every_op;

TEST_CASE_TEMPLATE("every unary op has its value in double", D, Cpu, Reference) {
  op::for_each(op::Unary{}, []<class Op>() { unary_values<Op, double, D>(); });
}

}  // namespace unary_double_test
