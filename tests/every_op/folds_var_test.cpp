#include "fold_definitions.hpp"

namespace folds_var_test {

using namespace judge;

TEST_CASE_TEMPLATE("var is right over every choice of axes, with its gradient", D, Cpu, Reference) {
  judge_every_choice_of_axes<VarianceOf, D>();
}

}  // namespace folds_var_test
