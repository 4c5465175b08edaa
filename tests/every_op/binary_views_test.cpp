#include "gradients.hpp"

namespace binary_moves_test {

using namespace every_op;

TEST_CASE_TEMPLATE("every binary op reads and differentiates operands with other strides", D, Cpu,
                   Reference) {
  op::for_each(op::Binary{}, []<class Op>() {
    binary_gradient<Op, Transposed, Full, D>();
    binary_gradient<Op, Full, Sliced, D>();
    binary_gradient<Op, Sliced, Transposed, D>();
  });
}

}  // namespace binary_moves_test
