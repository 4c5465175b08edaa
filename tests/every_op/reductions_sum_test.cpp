#include "reduction_definitions.hpp"

namespace folds_sum_test {

using namespace every_op;

TEST_CASE_TEMPLATE("sum is correct over every choice of axes, with its gradient", D, Cpu,
                   Reference) {
  check_every_choice_of_axes<SumOf, D>();
}

}  // namespace folds_sum_test
