#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include <tenon/tensor/complex.hpp>
#include <tenon/tree/tree.hpp>

namespace tensor_test {

namespace tree = tenon::tree;
using tenon::Float32;
using tenon::Frozen;
using tenon::Int32;
using tenon::Mask;

namespace {

struct Linear {
  Float32<"in=3 out=2"> weight;
  Float32<"out=2"> bias;
};

struct Classifier {
  Int32<"vocab"> ids;
  std::array<Linear, 2> layers;
  Mask<"n=4"> mask;
  Frozen<Float32<"n=4">> positions;
  tenon::Tensor<tenon::bfloat16, "n=2"> half;
  tenon::Complex64<"n=2"> wave;
  tenon::bfloat16 number{};
  Float32<"batch out=2"> state;
};

}  // namespace

TEST_CASE("floating and complex tensors are learned") {
  CHECK(tenon::tree::paths(Classifier()) ==
        std::vector<std::string>{"layers.0.weight", "layers.0.bias", "layers.1.weight",
                                 "layers.1.bias", "half", "wave", "state"});
}

TEST_CASE("every tensor and number is stored") {
  CHECK(tenon::tree::paths<tenon::internal::tree::Stored>(Classifier()) ==
        std::vector<std::string>{"ids", "layers.0.weight", "layers.0.bias", "layers.1.weight",
                                 "layers.1.bias", "mask", "positions", "half", "wave", "number",
                                 "state"});
}

TEST_CASE("tensors are mapped to tensors of the same type") {
  Linear const ones = tenon::tree::map(
      [](auto leaf) {
        for (std::int64_t i = 0; i < leaf.size(); ++i) leaf.mutable_data()[i] = 1;
        return leaf;
      },
      Linear());
  CHECK(ones.weight(2, 1) == 1.0f);
  CHECK(ones.bias(0) == 1.0f);
}

}  // namespace tensor_test
