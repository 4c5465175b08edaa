#include "reduction_definitions.hpp"

namespace folds_logsumexp_test {

using namespace every_op;

TEST_CASE_TEMPLATE("logsumexp is correct over every choice of axes, with its gradient", D, Cpu,
                   Reference) {
  check_every_choice_of_axes<LogSumExpOf, D>();
}

}  // namespace folds_logsumexp_test
