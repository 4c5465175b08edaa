// The warning about a dtype that the CPU has no instructions for.

#include <doctest/doctest.h>

#include <string>

#include <tenon/tenon.hpp>

#include <tenon/train/loop.hpp>
#include <tenon/train/precision.hpp>

#include "child_process.hpp"

namespace precision_emulated_test {

using namespace tenon;

namespace {

constexpr auto line_of_float16 =
    "tenon::warn_if_emulated: the CPU has no instructions for float16, or the program is not "
    "compiled for them: products are computed in float32, which saves memory, not time";

int lines = 0;
std::string last_line;
void count_line(std::string const& line) {
  ++lines;
  last_line = line;
}

template <class T>
struct Model {
  Linear<"in=3", "digit=2", T> layer;

  auto operator()(Float<"batch in=3"> auto const& x) const { return layer(x); }
};

template <class P>
void step() {
  Model<float> model;
  auto state = AdamW{}.init(model);
  P precision;
  auto const loss = [](auto const& m, Float32<"batch in=3"> const& x) { return mean(m(x)); };
  training::train_step(model, ones<Float32<"batch in=3">>(2), loss, AdamW{}, state, precision);
}

}  // namespace

TEST_CASE("the first step reports a dtype without instructions") {
  auto const ended = child_process::ended([] {
    step<training::Precision<float, float>>();
    step<training::Precision<float, float16>>();
    step<training::Precision<float, float16>>();
    training::warn_if_emulated<float16>(count_line);  // again
    return lines;
  });
  CHECK(ended.code == 0);
  CHECK(ended.errors == std::string(line_of_float16) + "\n");
}

TEST_CASE("a dtype without instructions is reported once") {
  for (int i = 0; i < 2; ++i) training::warn_if_emulated<float16>(count_line);
  training::warn_if_emulated<float>(count_line);
  CHECK(lines == 1);
  CHECK(last_line == line_of_float16);
}

}  // namespace precision_emulated_test
