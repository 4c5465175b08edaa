#include "integers.hpp"

namespace integers_unsigned_test {

using namespace every_op;

TEST_CASE_TEMPLATE("unsigned integers wrap around in every op that takes them", D, Cpu, Reference) {
  every_op_of_integers<std::uint8_t, D>();
  every_op_of_integers<std::uint16_t, D>();
  every_op_of_integers<std::uint32_t, D>();
  every_op_of_integers<std::uint64_t, D>();
}

}  // namespace integers_unsigned_test
