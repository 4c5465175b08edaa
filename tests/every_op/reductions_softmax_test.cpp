#include "reduction_definitions.hpp"

namespace folds_softmax_test {

using namespace every_op;

TEST_CASE_TEMPLATE("softmax is correct over every choice of axes, with its gradient", D, Cpu,
                   Reference) {
  check_every_choice_of_axes<SoftmaxOf, D>();
}

}  // namespace folds_softmax_test
