#include "integers.hpp"

namespace integers_signed_test {

using namespace every_op;

TEST_CASE_TEMPLATE("signed integers wrap around in every op that takes them", D, Cpu, Reference) {
  every_op_of_integers<std::int8_t, D>();
  every_op_of_integers<std::int16_t, D>();
  every_op_of_integers<std::int32_t, D>();
  every_op_of_integers<std::int64_t, D>();
}

}  // namespace integers_signed_test
