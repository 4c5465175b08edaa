#include "fold_definitions.hpp"

namespace folds_mean_test {

using namespace judge;

TEST_CASE_TEMPLATE("mean is right over every choice of axes, with its gradient", D, Cpu,
                   Reference) {
  judge_every_choice_of_axes<MeanOf, D>();
}

}  // namespace folds_mean_test
