// A convolution of images by 3 x 3 kernels, forward and with the gradient by its kernels, beside
// libtorch's where CMake found it. One thread.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include "limits.hpp"
#include "peers/torch_convolution.hpp"

using namespace tenon;

using Images = Float32<"batch channel=64 height=56 width=56">;
using Kernels = Float32<"out=64 channel=64 height=3 width=3">;
using Result = Float32<"batch out=64 height=56 width=56">;

struct Layer {
  std::int64_t count;
  Images x = normal<Images>(Key{1}, count);
  Kernels w = eval(0.05f * normal<Kernels>(Key{2}));
  Result ours{zeros<Result>(count)}, peer{zeros<Result>(count)};
  Kernels our_slope{}, peer_slope = zeros<Kernels>();

  double operations() const { return 2.0 * 9 * 64 * double(ours.size()); }
};

template <class Ours>
void share_of_rate(char const* work, double operations, Ours const& ours) {
  double const rate = bench::multiply_add_rate<float>();
  bench::line(work, "rate of multiply-adds", operations / rate / bench::seconds(ours), 0);
}

int main() {
  set_threads(1);
  bench::header();
  Layer layer{8};
  torch_convolution::Size const size{layer.count, 64, 56, 56};
  auto const forward = [&] {
    layer.ours = convolve<"height width", Sliding{.padding = 1}>(layer.x, layer.w);
  };
  auto const slope = [&] {
    layer.our_slope = grad([&](Kernels const& w) {
      return sum(square(convolve<"height width", Sliding{.padding = 1}>(layer.x, w)));
    })(layer.w);
  };
  share_of_rate("convolution, 8 x 64 x 56 x 56", layer.operations(), forward);
  share_of_rate("convolution and slope", 2 * layer.operations(), slope);
  if constexpr (!torch_convolution::found) return 0;
  float const *x = layer.x.data(), *w = layer.w.data();
  float *out = layer.peer.mutable_data(), *slopes = layer.peer_slope.mutable_data();
  double const speed = bench::speedup(forward, torch_convolution::step(size, x, w, out, nullptr));
  bench::line("convolution, 8 x 64 x 56 x 56", "libtorch", speed,
              bench::difference(layer.ours.data(), out, layer.ours.size()));
  double const both = bench::speedup(slope, torch_convolution::step(size, x, w, out, slopes));
  bench::line("convolution and slope", "libtorch", both,
              bench::difference(layer.our_slope.data(), slopes, layer.our_slope.size()));
}
