// The warning about a dtype that the CPU has no instructions for.

#include <doctest/doctest.h>

#include <string>

#include <tenon/tenon.hpp>

#include <tenon/train/precision.hpp>

namespace precision_emulated_test {

using namespace tenon;

namespace {
int lines = 0;
std::string last_line;
void count_line(std::string const& line) {
  ++lines;
  last_line = line;
}
}  // namespace

TEST_CASE("a dtype without instructions is reported once") {
  for (int i = 0; i < 2; ++i) training::warn_if_emulated<float16>(count_line);
  training::warn_if_emulated<float>(count_line);
  CHECK(lines == 1);
  CHECK(last_line ==
        "tenon::warn_if_emulated: the CPU has no instructions for float16, or the program is not "
        "compiled for them: products are computed in float32, which saves memory, not time");
}

}  // namespace precision_emulated_test
