#include "gradients.hpp"

namespace unary_moves_test {

using namespace every_op;

TEST_CASE_TEMPLATE("every unary op reads and differentiates transposed operands", D, Cpu,
                   Reference) {
  op::for_each(op::Unary{}, []<class Op>() { unary_gradient<Op, Transposed, D>(); });
}

TEST_CASE_TEMPLATE("every unary op reads and differentiates unaligned operands", D, Cpu,
                   Reference) {
  op::for_each(op::Unary{}, []<class Op>() { unary_gradient<Op, Sliced, D>(); });
}

}  // namespace unary_moves_test
