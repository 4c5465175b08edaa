// expect: tenon::evaluate: the loss is not a scalar; take its mean or sum
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/train/loop.hpp>

using namespace tenon;

auto mistaken(Float32<"n=2"> const& model, std::vector<Float32<"batch n=2">> const& batches) {
  return training::evaluate(model, batches, [](auto const& m, auto const& x) { return x - m; });
}
