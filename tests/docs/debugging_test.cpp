// The code that docs/debugging.md shows, and its texts; std::format is in tests/formatter.

#include <doctest/doctest.h>

#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

#include <tenon/tenon.hpp>

namespace docs_debugging {
namespace {

using namespace tenon;

TEST_CASE("a stream writes a tensor and the value of an expression") {
  Float32<"batch pixel=3"> const x{{1, 2.5f, -3}, {100, 0.125f, 7}};
  std::ostringstream log;
  log << "x:\n" << x << "\nsums: " << sum<"pixel">(x);
  CHECK(log.str() ==
        "x:\n[[  1.      2.5    -3.   ]\n [100.      0.125   7.   ]]\nsums: [  0.5   107.125]");
}

void check_finite(Float32<"n"> const& x) {
  if (!all(isfinite(x)).item()) throw std::runtime_error("x: " + to_string(x));
}

TEST_CASE("a check finds a value that is not finite") {
  check_finite({1, 2});
  CHECK_THROWS_WITH(check_finite({1, std::numeric_limits<float>::infinity()}), "x: [ 1. inf]");
}

TEST_CASE("recorded tensors are written as any other") {
  std::string text;
  value_and_grad([&](auto const& x) {
    Float32<"2"> const y = x * x;
    text = to_string(y);
    return sum(y);
  })(Float32<"2">{2, 3});
  CHECK(text == "[4. 9.]");
}

}  // namespace
}  // namespace docs_debugging
