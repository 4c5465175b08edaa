#include "reduction_definitions.hpp"

namespace folds_max_test {

using namespace every_op;

TEST_CASE_TEMPLATE("max is correct over every choice of axes, with its gradient", D, Cpu,
                   Reference) {
  check_every_choice_of_axes<MaxOf, D>();
}

}  // namespace folds_max_test
