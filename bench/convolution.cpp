// A convolution of images with 3 x 3 kernels, forward and with the gradient of the kernels,
// compared with libtorch if CMake found it. One thread.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include "limits.hpp"
#include "peers/torch_convolution.hpp"

using namespace tenon;

using Images = Float32<"batch channel=64 height=56 width=56">;
using Kernels = Float32<"out=64 channel=64 height=3 width=3">;
using Result = Float32<"batch out=64 height=56 width=56">;

/// Inputs, and the results of Tenon and of the peer.
struct Layer {
  std::int64_t count;
  Images x = normal<Images>(Key{1}, count);
  Kernels w = eval(0.05f * normal<Kernels>(Key{2}));
  Result ours{zeros<Result>(count)}, peer{zeros<Result>(count)};
  Kernels our_gradient{}, peer_gradient = zeros<Kernels>();

  void forward() { ours = convolve<"height width", Sliding{.padding = 1}>(x, w); }
  void gradient() {
    our_gradient = grad([&](Kernels const& v) {
      return sum(square(convolve<"height width", Sliding{.padding = 1}>(x, v)));
    })(w);
  }
  auto torch(bool with_derivative) {
    return torch_convolution::step({count, 64, 56, 56}, x.data(), w.data(), peer.own_memory(),
                                   with_derivative ? peer_gradient.own_memory() : nullptr);
  }
  double operations() const { return 2.0 * 9 * 64 * double(ours.size()); }
};

template <class Ours>
void share_of_rate(char const* work, double operations, Ours const& ours) {
  ours();
  double const rate = bench::multiply_add_rate<float>();
  bench::line(work, "rate of multiply-adds", operations / rate / bench::seconds(ours), 0);
}

int main() {
  set_threads(1);
  bench::header();
  Layer layer{8};
  char const *work = "convolution, 8 x 64 x 56 x 56", *both = "convolution and gradient";
  auto const forward = [&] { layer.forward(); };
  auto const gradient = [&] { layer.gradient(); };
  share_of_rate(work, layer.operations(), forward);
  share_of_rate(both, 2 * layer.operations(), gradient);
  if constexpr (torch_convolution::found) {
    double const faster = bench::speedup(forward, layer.torch(false));
    bench::line(work, "libtorch", faster,
                bench::difference(layer.ours.data(), layer.peer.data(), layer.ours.size()));
    double const gradients = bench::speedup(gradient, layer.torch(true));
    bench::line(
        both, "libtorch", gradients,
        bench::difference(layer.our_gradient.data(), layer.peer_gradient.data(), layer.w.size()));
  }
}
