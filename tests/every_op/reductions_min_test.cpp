#include "reduction_definitions.hpp"

namespace folds_min_test {

using namespace every_op;

TEST_CASE_TEMPLATE("min is correct over every choice of axes, with its gradient", D, Cpu,
                   Reference) {
  check_every_choice_of_axes<MinOf, D>();
}

}  // namespace folds_min_test
