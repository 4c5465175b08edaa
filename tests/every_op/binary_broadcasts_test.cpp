#include "gradients.hpp"

namespace binary_broadcasts_test {

using namespace every_op;

TEST_CASE_TEMPLATE("every binary op broadcasts by name and by size 1, with its gradient", D, Cpu,
                   Reference) {
  op::for_each(op::Binary{}, []<class Op>() {
    binary_gradient<Op, OneColumn, Full, D>();
    binary_gradient<Op, Full, Stretched, D>();
    binary_gradient<Op, Stretched, OneRow, D>();
  });
}

}  // namespace binary_broadcasts_test
