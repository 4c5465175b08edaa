#include "gradients.hpp"

namespace binary_gradients_test {

using namespace every_op;

TEST_CASE_TEMPLATE("every binary op has the gradient of its reference", D, Cpu, Reference) {
  op::for_each(op::Binary{}, []<class Op>() {
    binary_gradient<Op, Full, Full, D>();
    binary_gradient<Op, Full, OneRow, D>();
    binary_gradient<Op, Single, Full, D>();
  });
}

}  // namespace binary_gradients_test
