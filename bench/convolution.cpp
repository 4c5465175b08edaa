// Convolutions of images, ordinary and depthwise ones, forward and with gradients, compared with
// libtorch if CMake found it. One thread.
#include <tenon/nn/conv.hpp>
#include <tenon/nn/conv_transpose.hpp>
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <functional>
#include <string>
#include <type_traits>

#include "limits.hpp"
#include "peers/torch_convolution.hpp"

using namespace tenon;

using torch_convolution::Size;

using Images = Float32<"batch channel=64 height=56 width=56">;
using Kernels = Float32<"out=64 channel=64 height=3 width=3">;
using Result = Float32<"batch out=64 height=56 width=56">;

/// Inputs, and the results of Tenon and of the peer.
struct StaticConvolution {
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
    return torch_convolution::step(
        {count, 64, 56, 56, 64, 3}, x.data(), w.data(), peer.own_memory(),
        {nullptr, with_derivative ? peer_gradient.own_memory() : nullptr});
  }
  double operations() const { return 2.0 * 9 * 64 * double(ours.size()); }
};

template <class Ours>
void share_of_rate(char const* work, double operations, Ours const& ours) {
  ours();
  double const rate = bench::multiply_add_rate<float>();
  bench::line(work, "rate of multiply-adds", operations / rate / bench::seconds(ours), 0);
}

void compare_static() {
  StaticConvolution layer{8};
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

/// Images and kernels, or their gradients.
template <class X, class W>
struct Operands {
  X x;
  W w;
};

/// The lines of one function, whose result `ours` libtorch wrote to `theirs`.
template <class Ours, class Peer, class R>
void compare_step(std::string const& work, double operations, Ours const& run, Peer const& peer,
                  R const& ours, R const& theirs) {
  share_of_rate(work.c_str(), operations, run);
  if constexpr (torch_convolution::found) {
    double const faster = bench::speedup(run, peer);
    bench::line(work.c_str(), "libtorch", faster,
                bench::difference(ours.data(), theirs.data(), ours.size()));
  }
}

/// The lines of a convolution `f(images, kernels)`: forward, and with both gradients.
template <class X, class W, class F>
void compare(std::string const& work, Size const& size, Operands<X, W> const& operands,
             F const& f) {
  using Both = Operands<X, W>;
  auto ours = eval(f(operands.x, operands.w)), theirs = ours;
  Both our_gradient = operands, gradient = operands;
  auto const torch = [&](torch_convolution::Gradients const& gradients) -> std::function<void()> {
    if constexpr (torch_convolution::found)
      return torch_convolution::step(size, operands.x.data(), operands.w.data(),
                                     theirs.mutable_data(), gradients);
    else return {};
  };
  double const operations =
      2.0 * double(size.transposed ? operands.x.size() * operands.w.size() / size.channels
                                   : ours.size() * operands.w.size() / size.outputs);
  compare_step(
      work, operations, [&] { eval(f(operands.x, operands.w)); }, torch({}), ours, theirs);
  auto const differentiate = [&] {
    our_gradient = grad([&](Both const& v) { return sum(square(f(v.x, v.w))); })(operands);
  };
  auto const peer = torch({gradient.x.mutable_data(), gradient.w.mutable_data()});
  compare_step(work + ", gradients", 3 * operations, differentiate, peer, our_gradient.x,
               gradient.x);
}

using ImagesFirst = Float32<"batch channel height width">;
using ImagesLast = Float32<"batch height width channel">;

template <class X>
X images_of(Size const& n) {
  if constexpr (std::is_same_v<X, ImagesLast>)
    return normal<X>(Key{1}, n.images, n.height, n.width, n.channels);
  else return normal<X>(Key{1}, n.images, n.channels, n.height, n.width);
}

template <Sliding sliding, class X = ImagesFirst>
void compare_ordinary(char const* work, Size size) {
  using W = Float32<"out channel height width">;
  size.stride = sliding.stride, size.padding = sliding.padding;
  size.last = std::is_same_v<X, ImagesLast>;
  Operands<X, W> const operands{
      images_of<X>(size), normal<W>(Key{2}, size.outputs, size.channels, size.kernel, size.kernel)};
  compare(work, size, operands,
          [](X const& x, W const& w) { return convolve<"height width", sliding>(x, w); });
}

/// The lines of a layer without a bias.
template <class Layer, class X = ImagesFirst>
void compare_layer(char const* work, Size const& size) {
  using W = decltype(Layer::weight);
  Operands<X, W> const operands{images_of<X>(size), normal<W>(Key{2})};
  compare(work, size, operands, [](X const& of, W const& w) { return Layer{w, {}}(of); });
}

/// Winograd's algorithm, beside the sums of the definition as well.
void compare_winograd(char const* work, Size const& size) {
  constexpr Sliding direct{.padding = 1}, fast{.padding = 1, .allow_winograd = true};
  compare_ordinary<fast>(work, size);
  using W = Float32<"out channel height width">;
  auto const x = images_of<ImagesFirst>(size);
  auto const w = normal<W>(Key{2}, size.outputs, size.channels, size.kernel, size.kernel);
  auto ours = eval(convolve<"height width", fast>(x, w)), sums = ours;
  double const faster =
      bench::speedup([&] { ours = eval(convolve<"height width", fast>(x, w)); },
                     [&] { sums = eval(convolve<"height width", direct>(x, w)); });
  bench::line(work, "without the permission", faster,
              bench::difference(ours.data(), sums.data(), ours.size()));
}

void compare_depthwise() {
  using Layer =
      Conv2d<"channel=64", "channel=64", 3, ConvOptions{.padding = 1, .groups = 64, .bias = false}>;
  Size size{8, 64, 56, 56, 64, 3};
  size.groups = 64;
  compare_layer<Layer>("depthwise, 3 x 3", size);
  size.last = true;
  compare_layer<Layer, ImagesLast>("depthwise, 3 x 3, channels last", size);
}

void compare_transposed() {
  using Layer = ConvTranspose2d<"channel=64", "out=32", 4,
                                ConvTransposeOptions{.stride = 2, .padding = 1, .bias = false}>;
  Size size{8, 64, 28, 28, 32, 4};
  size.stride = 2, size.transposed = true;
  compare_layer<Layer>("transposed, 4 x 4, stride 2", size);
}

int main() {
  set_threads(1);
  bench::header();
  compare_static();
  compare_ordinary<Sliding{1, 1}>("3 x 3, stride 1", {8, 64, 56, 56, 64, 3});
  compare_winograd("3 x 3, Winograd", {8, 64, 56, 56, 64, 3});
  compare_winograd("Winograd, 128 channels", {8, 128, 28, 28, 128, 3});
  compare_ordinary<Sliding{2, 1}>("3 x 3, stride 2", {8, 64, 56, 56, 128, 3});
  compare_ordinary<Sliding{1, 2}>("5 x 5, stride 1", {8, 32, 28, 28, 32, 5});
  compare_ordinary<Sliding{2, 2}>("5 x 5, stride 2", {8, 32, 28, 28, 64, 5});
  compare_ordinary<Sliding{2, 3}>("7 x 7, stride 2, 3 channels", {8, 3, 112, 112, 64, 7});
  compare_depthwise();
  compare_transposed();
  compare_ordinary<Sliding{1, 1}, ImagesLast>("3 x 3, channels last", {8, 64, 56, 56, 64, 3});
  compare_ordinary<Sliding{2, 1}, ImagesLast>("3 x 3, stride 2, channels last",
                                              {8, 64, 56, 56, 128, 3});
  compare_ordinary<Sliding{1, 2}, ImagesLast>("5 x 5, channels last", {8, 32, 28, 28, 32, 5});
}
