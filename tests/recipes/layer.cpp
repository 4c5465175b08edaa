// The layers that CONTRIBUTING.md adds: one to the library, in a header that compiles alone, and
// one to a project of a user's own.

#include <tenon/nn/gated_unit.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <tenon/tenon.hpp>

#include <tenon/io/safetensors.hpp>

using namespace tenon;

namespace {

#include "own/rms_norm.hpp"

struct Block {
  RMSNorm norm;
  GatedUnit unit;

  auto operator()(Float<"batch model=4"> auto const& x) const { return eval(x + unit(norm(x))); }
};

Float32<"batch model=4"> input() { return normal<Float32<"batch model=4">>(Key(2), 3); }

}  // namespace

TEST_CASE("the parameters of an added layer begin as it says") {
  auto const block = init::normal<Block>(Key(1), 0.02f);
  for (int i = 0; i < 4; ++i) {
    CHECK(block.norm.weight(i) == 1.0f);
    CHECK(block.norm.bias(i) == 0.0f);
    CHECK(block.unit.gate(i, 0) != 0.0f);
  }
  CHECK(block.norm.epsilon == 1e-5f);
}

TEST_CASE("an added layer is called, and has a gradient with respect to its parameters") {
  auto block = init::normal<Block>(Key(1), 0.5f);
  auto const loss = [](Block const& b) { return sum(square(b(input()))); };
  auto const [total, gradient] = value_and_grad(loss)(block);
  CHECK(total() == doctest::Approx(loss(block)()));
  float const step = 1e-2f, before = block.unit.value(1, 2);
  auto const moved = [&](float to) {
    block.unit.value = full<Float32<"model=4 hidden=6">>(0.0f) + block.unit.value;
    block.unit.value(1, 2) = to;
    return loss(block)();
  };
  float const difference = (moved(before + step) - moved(before - step)) / (2 * step);
  CHECK(gradient.unit.value(1, 2) == doctest::Approx(difference).epsilon(0.01));
  CHECK(gradient.norm.bias(0) != 0.0f);
}

TEST_CASE("an added layer is saved by the names of its fields, and loaded") {
  std::filesystem::path const path = "block.safetensors";
  auto const block = init::normal<Block>(Key(1), 0.5f);
  save(path, block);
  std::ifstream file(path, std::ios::binary);
  std::string const bytes((std::istreambuf_iterator<char>(file)), {});
  for (std::string const name : {"norm.weight", "norm.bias", "unit.gate", "unit.value", "unit.out"})
    CHECK(bytes.find("\"" + name + "\"") != std::string::npos);
  auto const back = load<Block>(path);
  CHECK(all(back(input()) == block(input()))());
}
