// The outputs and multiplications of the fields of a model, from one call.

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <tuple>
#include <utility>

#include <tenon/tenon.hpp>

#include <tenon/train/inspect.hpp>

namespace inspect_summary_test {

using namespace tenon;
using namespace tenon::training;

namespace {

struct Layer {
  Float32<"in=100 out=100"> weight;
  Float32<"out=100"> bias;

  Float32<"batch out=100"> operator()(Float<"batch in=100"> auto const& x) const {
    return relu(matmul(x, weight) + bias);
  }
};
struct Model {
  std::array<Layer, 2> layers;
  Float32<"in=100 digit=10"> head;
  Frozen<Float32<"digit=10">> offset;

  auto operator()(Float<"batch in=100"> auto const& x) const {
    Float32<"batch in=100"> y = x;
    for (Layer const& layer : layers) y = rename<"out -> in">(layer(y));
    return matmul(y, head) + *offset;
  }
};

Float32<"batch in=100"> batch(std::int64_t size) {
  return tenon::normal<Float32<"batch in=100">>(Key{1}, size);
}

}  // namespace

TEST_CASE("a summary with an input shows outputs and multiplications as a table") {
  Summary const found = summary(Model(), batch(32));
  CHECK(found.text() ==
        "====================================================================================\n"
        "field         tensor                                  output     elements  mult-adds\n"
        "====================================================================================\n"
        "model                                                 (32, 10)     21,210    672,000\n"
        "├─layers                                              (32, 100)    20,200    640,000\n"
        "│ ├─0                                                 (32, 100)    10,100    320,000\n"
        "│ │ ├─weight  float32 \"in=100 out=100\"                (32, 100)    10,000    320,000\n"
        "│ │ └─bias    float32 \"out=100\"                       (32, 100)       100          0\n"
        "│ └─1                                                 (32, 100)    10,100    320,000\n"
        "│   ├─weight  float32 \"in=100 out=100\"                (32, 100)    10,000    320,000\n"
        "│   └─bias    float32 \"out=100\"                       (32, 100)       100          0\n"
        "├─head        float32 \"in=100 digit=10\"               (32, 10)      1,000     32,000\n"
        "└─offset      float32 \"digit=10\"         not trained  (32, 10)         10          0\n"
        "====================================================================================\n"
        "Total parameters: 21,210\n"
        "Trainable parameters: 21,200\n"
        "Other parameters: 10\n"
        "Total mult-adds: 672,000\n"
        "Input size: 12.50 KiB\n"
        "Forward pass size: 26.25 KiB\n"
        "Parameters size: 82.85 KiB\n"
        "====================================================================================\n");
}

TEST_CASE("the output of a field is that of the last kernel that reads it") {
  Summary const found = summary(init::normal<Model>(Key{2}, 0.1f), batch(7));
  CHECK(found.output("layers.0") == "(7, 100)");
  CHECK(found.output("layers.0.bias") == "(7, 100)");
  CHECK(found.output("layers") == "(7, 100)");
  CHECK(found.output("head") == "(7, 10)");
  CHECK(found.output("offset") == "(7, 10)");
  CHECK(found.output("") == "(7, 10)");
  CHECK(found.output("layer").empty());
}

TEST_CASE("the multiplications of a field are those of its products") {
  Summary const found = summary(Model(), batch(7));
  CHECK(found.multiply_adds("layers.0.weight") == 7 * 100 * 100);
  CHECK(found.multiply_adds("layers") == 2 * 7 * 100 * 100);
  CHECK(found.multiply_adds("head") == 7 * 100 * 10);
  CHECK(found.multiply_adds() == 2 * 7 * 100 * 100 + 7 * 100 * 10);
  CHECK(found.input_bytes == 7 * 100 * 4);
  CHECK(found.forward_bytes() == (2 * 7 * 100 + 7 * 10) * 4);
}

TEST_CASE("a convolution multiplies each element of its output with a window of its input") {
  struct Convolution {
    Float32<"out=4 channel=3 h=3 w=3"> kernel;
    auto operator()(Float32<"n channel=3 h w"> const& x) const {
      return eval(convolve<"h w">(x, kernel));
    }
  };
  auto const x = ones<Float32<"n channel=3 h w">>(2, 10, 12);
  Summary const found = summary(Convolution(), x);
  CHECK(found.output("kernel") == "(2, 4, 8, 10)");
  CHECK(found.multiply_adds() == 2 * 4 * 8 * 10 * 3 * 3 * 3);
}

TEST_CASE("a parameter that is converted belongs to the kernel that reads the result") {
  struct Scaled {
    Float32<"d=100"> scale;
    auto operator()(Float32<"n d=100"> const& x) const {
      auto const narrow = eval(to<bfloat16>(scale));
      return eval(to<bfloat16>(x) * narrow);
    }
  };
  Summary const found = summary(Scaled(), ones<Float32<"n d=100">>(3));
  CHECK(found.output("scale") == "(3, 100)");
  CHECK(found.kernels.size() == 2);
}

TEST_CASE("a model of several inputs, and one within a recording") {
  struct Sum {
    Float32<"d=100"> weight;
    auto operator()(std::tuple<Float32<"n d=100">, Float32<"n d=100">> const& x,
                    Float32<"n d=100"> const& y) const {
      return eval((std::get<0>(x) + std::get<1>(x) + y) * weight);
    }
  };
  auto const x = ones<Float32<"n d=100">>(5);
  Summary const found = summary(Sum(), std::tuple(x, x), x);
  CHECK(found.output("weight") == "(5, 100)");
  CHECK(found.input_bytes == 3 * 5 * 100 * 4);
  Summary inner;
  auto const gradient = grad([&](Float32<"n d=100"> const& at) {
    inner = summary(Sum(), std::tuple(x, x), x);
    return sum(square(at));
  })(x);
  CHECK(inner.text() == found.text());
  CHECK(gradient(4, 99) == 2);
}

TEST_CASE("a result that is not recorded leaves the parameters of the next one") {
  struct Masked {
    Float32<"d=64"> w, scale;
    Float32<"d=64 out=64"> w2;
    auto operator()(Float32<"n d=64"> const& x) const {
      auto const mask = eval(w > 0.0f);  // a kernel of parameters alone, without a gradient
      Float32<"n d=64"> const y = x * scale;
      return eval(matmul(where(mask, y, 0.0f), w2));
    }
  };
  Summary const found = summary(Masked(), ones<Float32<"n d=64">>(3));
  CHECK(found.output("w").empty());
  CHECK(found.multiply_adds("w") == 0);
  CHECK(found.output("scale") == "(3, 64)");
  CHECK(found.multiply_adds("w2") == 3 * 64 * 64);
}

TEST_CASE("results in pairs are evaluated; a recorded input is a constant") {
  struct Two {
    Float32<"d=100"> a, b;
    auto operator()(Float32<"n d=100"> const& x) const { return std::pair(x * a, x + b); }
  };
  Summary found;
  auto const gradient = grad([&](Float32<"n d=100"> const& x) {
    found = summary(Two(), x);
    return sum(x);
  })(ones<Float32<"n d=100">>(5));
  CHECK(found.output("a") == "(5, 100)");
  CHECK(found.output("b") == "(5, 100)");
  CHECK(gradient(4, 99) == 1);
}

TEST_CASE("a model without kernels has the columns of an input") {
  struct Tiny {
    Float32<"d=2"> a;
    auto operator()(Float32<"d=2"> const& x) const { return eval(x * a); }
  };
  CHECK(summary(Tiny(), Float32<"d=2">{1, 2}).text().find("mult-adds") != std::string::npos);
}

}  // namespace inspect_summary_test
