#include "reduction_definitions.hpp"

namespace folds_mean_test {

using namespace every_op;

TEST_CASE_TEMPLATE("mean is correct over every choice of axes, with its gradient", D, Cpu,
                   Reference) {
  check_every_choice_of_axes<MeanOf, D>();
}

}  // namespace folds_mean_test
