// The warning about a dtype that the CPU has no instructions for.

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include <tenon/tenon.hpp>

#include <tenon/train/loop.hpp>
#include <tenon/train/precision.hpp>

#include "../io/folder.hpp"

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

/// What a function writes to the standard error stream of another process, which it ends with its
/// result.
std::string errors_of(int (*f)()) {
  Folder const folder;
  auto const errors = (folder / "errors").string();
  std::fflush(nullptr);  // the child would write it too
  pid_t const child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    int const result = std::freopen(errors.c_str(), "w", stderr) ? f() : 1;
    std::fflush(stderr);
    std::_Exit(result);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 0);
  return read_bytes(errors);
}

}  // namespace

TEST_CASE("the first step reports a dtype without instructions") {
  CHECK(errors_of([] {
          step<training::Precision<float, float>>();
          step<training::Precision<float, float16>>();
          step<training::Precision<float, float16>>();
          training::warn_if_emulated<float16>(count_line);  // again
          return lines;
        }) == std::string(line_of_float16) + "\n");
}

TEST_CASE("a dtype without instructions is reported once") {
  for (int i = 0; i < 2; ++i) training::warn_if_emulated<float16>(count_line);
  training::warn_if_emulated<float>(count_line);
  CHECK(lines == 1);
  CHECK(last_line == line_of_float16);
}

}  // namespace precision_emulated_test
