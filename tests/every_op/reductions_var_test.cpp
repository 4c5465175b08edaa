#include "reduction_definitions.hpp"

namespace folds_var_test {

using namespace every_op;

TEST_CASE_TEMPLATE("var is correct over every choice of axes, with its gradient", D, Cpu,
                   Reference) {
  check_every_choice_of_axes<VarianceOf, D>();
}

}  // namespace folds_var_test
