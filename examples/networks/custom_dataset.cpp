// A data set of one's own: a class with `size()` and `operator[]`. Its images of shapes are drawn
// when they are read; a network tells the shapes apart, trained by `fit`.
// test-long

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>

#include <tenon/nn.hpp>

#include <tenon/train/data.hpp>
#include <tenon/train/fit.hpp>

using namespace tenon;

using Image = Float32<"channel=1 height=16 width=16">;

/// Circles, squares and crosses of random places and sizes.
struct Shapes {
  Key key;
  std::size_t count;

  std::size_t size() const { return count; }

  std::pair<Image, std::int32_t> operator[](std::size_t index) const {
    auto const random = uniform<Float32<"4">>(fold_in(key, index));
    auto const kind = static_cast<std::int32_t>(3 * random(0));
    float const radius = 3 + 3 * random(1), row = 6 + 4 * random(2), column = 6 + 4 * random(3);
    Image image = 0.2f * normal<Image>(fold_in(key, index));
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x) {
        float const down = std::abs(static_cast<float>(y) - row);
        float const right = std::abs(static_cast<float>(x) - column);
        bool const is_within[] = {std::hypot(down, right) < radius,
                                  (std::max)(down, right) < 0.9f * radius,
                                  (std::min)(down, right) < 1 && (std::max)(down, right) < radius};
        if (is_within[kind]) image(0, y, x) += 1;
      }
    return {image, kind};
  }
};

using Net = Sequential<Conv2d<"channel=1", "channel=8", 3>, ReLU, MaxPool2d<2>,
                       Conv2d<"channel=8", "channel=16", 3>, ReLU, AdaptiveAvgPool2d<1>,
                       Flatten<"channel height width -> feature">, Linear<"feature=16", "shape=3">>;

auto loss_of(Net const& net, auto const& batch) {
  return cross_entropy<"shape">(net(std::get<0>(batch)), std::get<1>(batch));
}

training::Metrics measure(Net const& net, auto const& batch) {
  auto const& [image, kind] = batch;
  auto const scores = net(image);
  return {.loss = double(cross_entropy<"shape">(scores, kind).item()),
          .accuracy = training::accuracy<"shape">(scores, kind)};
}

int main() {
  auto loader = training::data_loader<"batch">(Shapes{Key{1}, 600},
                                               {.batch_size = 30, .shuffle = true, .prefetch = 2});
  auto unseen = training::data_loader<"batch">(Shapes{Key{2}, 300}, {.batch_size = 100});
  auto const loss = [](Net const& net, auto const& batch) { return loss_of(net, batch); };
  auto const evaluate = [&](Net const& net) {
    return training::evaluate(
        net, unseen, [](Net const& now, auto const& batch) { return measure(now, batch); });
  };
  auto const result =
      training::fit(init::kaiming_uniform<Net>(Key{3}), loader, loss, AdamW{.rate = 1e-2},
                    {.epochs = 8, .evaluate = evaluate, .progress = false});
  for (auto const& epoch : result.epochs)
    std::printf("epoch %d: loss %.4f, %.1f %% of unseen shapes right\n", int(epoch.epoch),
                epoch.loss, 100 * *epoch.accuracy);
  return result.epochs.back().accuracy > 0.9 ? 0 : 1;
}
