// expect: errors/own_layer_twin.cpp:19
// expect: annotation_does_not_fit
// expect g++: "pixel=784: expected pixel=784, got pixel=512"
// expect clang++: "pixel=784: expected pixel=784, got[...]"
// expect within 3: annotation_does_not_fit
// expect lines: 12
#include <tenon/tenon.hpp>

using namespace tenon;

struct Layer {
  Float32<"pixel=784 hidden=128"> weight;

  auto operator()(Float<"batch pixel=784"> auto const& image) const {
    return eval(matmul(image, weight));
  }
  auto operator()(auto const& x) const -> AnnotationMistake<"batch pixel=784", decltype(x)>;
};
auto f(Layer const& layer, Float32<"batch pixel=512"> const& x) { return layer(x); }
