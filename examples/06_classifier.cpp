// A classifier with a hidden layer: to which of three arms of a spiral does a point belong?

#include <cstdio>
#include <tuple>

#include <tenon/tenon.hpp>

using namespace tenon;

struct Classifier {
  Linear<"coordinate=2", "hidden=32"> first;
  Linear<"hidden=32", "hidden=32"> second;
  Linear<"hidden=32", "arm=3"> last;

  auto operator()(Float<"point coordinate=2"> auto const& x) const {
    auto const h = eval(relu(first(x)));  // "point hidden=32": matmul, bias and relu in one
    return eval(last(relu(second(h))));   // "point arm=3"
  }
};

struct Points {
  Float32<"point coordinate=2"> position;
  Int32<"point"> arm;
};

/// Points along three arms around the origin, with noise.
Points spiral(Key const& key, std::int64_t n) {
  auto const [for_arm, for_radius, for_noise] = split<3>(key);
  auto const arm = uniform<Int32<"point">>(for_arm, 0, 3, n);
  auto const radius = uniform<Float32<"point">>(for_radius, n);
  auto const noise = normal<Float32<"point">>(for_noise, 0, 0.15, n);
  // A full turn is 2 pi; the arms are a third of it apart.
  auto const angle = eval(4 * radius + 2.0944f * to<float>(arm) + noise);
  auto const position = stack<"coordinate">(radius * cos(angle), radius * sin(angle));
  return {rearrange<"coordinate point -> point coordinate">(position), arm};
}

float accuracy(Classifier const& model, Points const& points) {
  return mean(argmax<"arm">(model(points.position)) == points.arm).item();
}

int main() {
  auto const learned = spiral(Key{1}, 1000), unseen = spiral(Key{2}, 1000);
  auto model = init::normal<Classifier>(Key{3}, 0.4);
  auto const adam = AdamW{.rate = 1e-2};
  auto state = adam.init(model);
  for (int step = 0; step <= 400; ++step) {
    auto const [loss, gradients] = value_and_grad([&](Classifier const& m) {
      return cross_entropy<"arm">(m(learned.position), learned.arm);
    })(model);
    std::tie(model, state) = adam.step(model, gradients, state);
    if (step % 100 == 0)
      std::printf("step %3d: loss %.4f, %4.1f %% of unseen points right\n", step,
                  double(loss.item()), 100 * double(accuracy(model, unseen)));
  }
  return accuracy(model, unseen) > 0.9f ? 0 : 1;
}
