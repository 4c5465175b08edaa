// expect: errors/own_layer.cpp:15
// expect note: annotation_does_not_fit
// expect lines: 19
#include <tenon/tenon.hpp>

using namespace tenon;

struct Layer {
  Float32<"pixel=784 hidden=128"> weight;

  auto operator()(Float<"batch pixel=784"> auto const& image) const {
    return eval(matmul(image, weight));
  }
};
auto f(Layer const& layer, Float32<"batch pixel=512"> const& x) { return layer(x); }
