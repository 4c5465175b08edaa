#include "fold_definitions.hpp"

namespace folds_max_test {

using namespace judge;

TEST_CASE_TEMPLATE("max is right over every choice of axes, with its gradient", D, Cpu, Reference) {
  judge_every_choice_of_axes<MaxOf, D>();
}

}  // namespace folds_max_test
