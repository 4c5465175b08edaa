// Linear regression: find the weights from which data were generated, by gradient descent.

#include <cmath>
#include <cstdio>
#include <tuple>

#include <tenon/tenon.hpp>

using namespace tenon;

// A model is a plain struct. Its call operator computes its output.
struct Line {
  Float32<"feature=3"> weight;
  Float32<""> bias;

  auto operator()(Float<"sample feature=3"> auto const& x) const {
    return matmul(x, weight) + bias;  // "sample"
  }
};

int main() {
  auto const [for_x, for_noise] = split(Key{1});
  auto const x = normal<Float32<"sample feature=3">>(for_x, 500);
  auto const noise = normal<Float32<"sample">>(for_noise, 0, 0.1, 500);

  Line const truth{{2.0f, -1.0f, 0.5f}, 3.0f};
  Float32<"sample"> const y = truth(x) + noise;

  Line line;  // zeros
  auto const sgd = SGD{.rate = 0.1, .momentum = 0.5};
  auto state = sgd.init(line);
  for (int step = 0; step <= 100; ++step) {
    auto const [loss, gradients] =
        value_and_grad([&](Line const& l) { return mse_loss(l(x), y); })(line);
    std::tie(line, state) = sgd.step(line, gradients, state);
    if (step % 20 == 0) std::printf("step %3d: loss %.5f\n", step, double(loss.item()));
  }

  std::printf("weight %.3f %.3f %.3f, bias %.3f; made with 2 -1 0.5 and 3\n",
              double(line.weight(0)), double(line.weight(1)), double(line.weight(2)),
              double(line.bias.item()));
  float const error = max(abs(line.weight - truth.weight)).item();
  return error < 0.02f && std::abs(line.bias.item() - 3) < 0.02f ? 0 : 1;
}
