// Formulas on a device of Metal: on a machine without one, on a stand-in that runs the kernels'
// text on the host and notes what the host code does wrong.

#include <tenon/tenon.hpp>

#include "metal_device.hpp"

using namespace tenon;
using metal_device::stand_in;

namespace {

/// The stand-in has nothing to complain about.
void expect_no_mistakes() {
  if (!stand_in()) return;
  CHECK(std::string(stand_in().mistakes()) == "");
  CHECK(stand_in().pools() == 0);
}

}  // namespace

TEST_CASE("a formula on a device of Metal") {
  if (!metal_device::is_there()) return;
  Float32<"n k"> const x = uniform<Float32<"n k">>(Key(1), 5, 70);
  Float32<"k"> const bias = uniform<Float32<"k">>(Key(2), 70);
  auto const there = to<Cpu>(softmax<"k">(to<Mps>(x) * 2.0f + to<Mps>(bias)));
  CHECK(all(abs(there - softmax<"k">(x * 2.0f + bias)) < 1e-6f).item());
  expect_no_mistakes();
}
