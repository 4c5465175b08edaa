// What the further files of CONTRIBUTING.md give the dtype that it adds: with its row alone neither
// compiles.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/c.hpp>
#include <tenon/io/safetensors.hpp>

namespace {

using namespace tenon;

struct Weights {
  Tensor<truncated16, "n=3"> values;
};

TEST_CASE("an added dtype with a name in files is saved and loaded") {
  std::filesystem::path const path = "weights.safetensors";
  Weights const weights{to<truncated16>(Float32<"n=3">{1.0f, -2.5f, 0.3f})};
  save(path, weights);
  auto const back = load<Weights>(path);
  CHECK(all(back.values == weights.values)());
}

TEST_CASE("an added dtype with conversions in kernels has the text of a formula") {
  Tensor<truncated16, "n=3"> const x = to<truncated16>(Float32<"n=3">{1.0f, -2.5f, 0.3f});
  CHECK(kernel_source(x + x).find("truncated16") != std::string::npos);
}

}  // namespace
