// Pooling of 64 images of 28 x 28 with 8 channels, forward and with the gradient of the images,
// compared with libtorch if CMake found it. One thread.
#include <functional>
#include <string>

#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include "compare.hpp"
#include "peers/torch_pooling.hpp"

using namespace tenon;

constexpr Sliding overlapping{.stride = 2, .padding = 1};
using ChannelsFirst = Float32<"batch=64 channel=8 height=28 width=28">;
using ChannelsLast = Float32<"batch=64 height=28 width=28 channel=8">;

/// A pooling in libtorch.
struct Windows {
  long size;
  Sliding sliding;
  bool is_mean;
};

/// The line of a work: libtorch's time divided by ours, or our time without libtorch.
template <class Ours, class E>
void line(std::string const& work, Ours const& ours, std::function<void()> const& torch,
          E const& value, E const& peer) {
  if constexpr (torch_pooling::found) {
    double const speed = bench::speedup(ours, torch);  // writes both values
    bench::line(work.c_str(), "libtorch", speed,
                bench::difference(value.data(), peer.data(), value.size()));
  } else {
    std::printf("%-38s %.3f ms\n", work.c_str(), 1e3 * bench::seconds(ours));
  }
}

/// Times `pool` of images beside libtorch, and with the gradient of the images.
template <class Images, class F>
void compare(std::string const& work, Windows const& windows, F const& pool) {
  auto const& [window, sliding, is_mean] = windows;
  bool const is_last = std::is_same_v<Images, ChannelsLast>;
  torch_pooling::Size const size{
      64, 8, 28, 28, is_last, is_mean, window, sliding.stride, sliding.padding};
  Images const x = normal<Images>(Key{1});
  auto ours = pool(x), peer = pool(x);
  Images gradient = x, peer_gradient = x;
  auto const dy = ones_like(ours);
  std::function<void()> forward, both;
  if constexpr (torch_pooling::found) {
    forward = torch_pooling::step(size, x.data(), peer.own_memory(), nullptr);
    both = torch_pooling::step(size, x.data(), nullptr, peer_gradient.own_memory());
  }
  line(
      work, [&] { ours = pool(x); }, forward, ours, peer);
  line(
      work + ", gradient", [&] { gradient = vjp(pool, x).second(dy); }, both, gradient,
      peer_gradient);
}

template <class Images>
void compare_all(std::string const& order) {
  compare<Images>("max_pool 2, " + order, {2, {.stride = 2}, false},
                  [](Images const& x) { return max_pool<"height width", 2>(x); });
  compare<Images>("max_pool 3 by 2, " + order, {3, overlapping, false},
                  [](Images const& x) { return max_pool<"height width", 3, overlapping>(x); });
  compare<Images>("avg_pool 2, " + order, {2, {.stride = 2}, true},
                  [](Images const& x) { return avg_pool<"height width", 2>(x); });
}

int main() {
  set_threads(1);
  bench::header();
  compare_all<ChannelsFirst>("channels first");
  compare_all<ChannelsLast>("channels last");
}
