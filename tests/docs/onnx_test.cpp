// The code of docs/onnx.md.

#include <doctest/doctest.h>

#include "../io/folder.hpp"

#include <tenon/io/onnx.hpp>
#include <tenon/io/onnx/decode.hpp>
#include <tenon/tenon.hpp>

namespace onnx_docs {

using namespace tenon;

struct Classifier {
  Linear<"pixel=4", "hidden=8"> first;
  Linear<"hidden=8", "digit=3"> second;

  auto operator()(Float<"batch pixel=4"> auto const& image) const {
    return second(relu(first(image)));
  }
};

struct Images {
  Float32<"batch pixel=4"> image;  // the name of the input in the file
};

TEST_CASE("docs/onnx.md: a model") {
  Folder const folder;
  auto const path = folder / "classifier.onnx";
  auto const classifier = init::normal<Classifier>(Key{1}, 0.5f);
  onnx::save(path, classifier, Images{zeros<Float32<"batch pixel=4">>(2)});
  auto const same = onnx::load<Classifier>(path);  // the weights
  CHECK(same.first.weight(1, 2) == classifier.first.weight(1, 2));
}

struct Both {
  Float32<"batch"> norm;
  Int32<"batch"> largest;
};

TEST_CASE("docs/onnx.md: a function with two results, and one that is refused") {
  Folder const folder;
  auto const path = folder / "both.onnx";
  auto const both = [](Float32<"batch pixel=4"> const& x) {
    return Both{norm<"pixel">(x), argmax<"pixel">(x)};
  };
  onnx::save(path, both, Images{zeros<Float32<"batch pixel=4">>(2)}, {.opset = 20});
  CHECK(std::filesystem::exists(path));
  auto const branches = [](Float32<"batch pixel=4"> const& x) {
    return eval(sum(x)).item() > 0 ? eval(x) : eval(-x);
  };
  CHECK_THROWS_WITH_AS(onnx::save(path, branches, Images{zeros<Float32<"batch pixel=4">>(2)}),
                       "tenon::onnx::save: a value that depends on an input is read as a number: "
                       "control flow cannot depend on values; where(mask, a, b) chooses elements",
                       Error);
}

struct Softshrink {
  static constexpr std::string_view name = "softshrink";
  template <op::FloatingValue V>
  static constexpr V f(V x) {
    return x - op::Maximum::f(op::Minimum::f(x, V(0.5f)), V(-0.5f));
  }
  template <class X>
  static X symbolic(X x) {
    return x - op::applied<op::Maximum>(op::applied<op::Minimum>(x, X(0.5)), X(-0.5));
  }
};

TEST_CASE("docs/onnx.md: an own op by a formula") {
  Folder const folder;
  auto const path = folder / "softshrink.onnx";
  auto const shrunk = [](Float32<"batch pixel=4"> const& x) { return eval(map<Softshrink>(x)); };
  onnx::save(path, shrunk, Images{zeros<Float32<"batch pixel=4">>(2)});
  std::vector<std::string> operators;
  for (auto const& node : internal::onnx::read(path).graph.nodes) operators.push_back(node.op_type);
  CHECK(operators ==
        std::vector<std::string>{"Constant", "Min", "Constant", "Max", "Sub", "Identity"});
  for (float const x : {-2.0f, -0.25f, 0.0f, 0.75f})
    CHECK(Softshrink::symbolic(x) == Softshrink::f(x));
}

}  // namespace onnx_docs
