#include "gradients.hpp"

namespace unary_gradients_test {

using namespace every_op;

TEST_CASE_TEMPLATE("every unary op has the gradient of its reference", D, Cpu, Reference) {
  op::for_each(op::Unary{}, []<class Op>() { unary_gradient<Op, Full, D>(); });
}

}  // namespace unary_gradients_test
