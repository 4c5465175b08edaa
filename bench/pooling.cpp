// Pooling of 64 images of 28 x 28 with 8 channels, forward and with the gradient of the images,
// compared with libtorch if CMake found it. One thread.
#include <string>

#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include "compare.hpp"
#include "peers/torch_pooling.hpp"

using namespace tenon;

using ChannelsFirst = Float32<"batch=64 channel=8 height=28 width=28">;
using ChannelsLast = Float32<"batch=64 height=28 width=28 channel=8">;

/// Times `pool` of images against libtorch.
template <class Images, class F>
void compare(std::string const& work, F const& pool, long window, Sliding const& sliding,
             bool is_mean) {
  Images const x = normal<Images>(Key{1});
  auto ours = pool(x), peer = pool(x);
  Images our_gradient = x, peer_gradient = x;
  auto const dy = ones_like(ours);
  auto const forward = [&] { ours = pool(x); };
  auto const gradient = [&] { our_gradient = vjp(pool, x).second(dy); };
  if constexpr (torch_pooling::found) {
    torch_pooling::Size const size{64,      8,      28, 28, std::is_same_v<Images, ChannelsLast>,
                                   is_mean, window, sliding.stride, sliding.padding};
    auto const torch = torch_pooling::step(size, x.data(), peer.own_memory(), nullptr);
    auto const both =
        torch_pooling::step(size, x.data(), nullptr, peer_gradient.own_memory());
    double const speed = bench::speedup(forward, torch);
    bench::line(work.c_str(), "libtorch", speed,
                bench::difference(ours.data(), std::as_const(peer).data(), ours.size()));
    double const with_gradient = bench::speedup(gradient, both);
    bench::line((work + " and gradient").c_str(), "libtorch", with_gradient,
                bench::difference(our_gradient.data(), std::as_const(peer_gradient).data(),
                                  x.size()));
  } else {
    std::printf("%-38s %.3f ms, with gradient %.3f ms\n", work.c_str(),
                1e3 * bench::seconds(forward), 1e3 * bench::seconds(gradient));
  }
}

template <class Images>
void compare_all(std::string const& order) {
  constexpr Sliding overlapping{.stride = 2, .padding = 1};
  compare<Images>(
      "max_pool 2, " + order, [](Images const& x) { return max_pool<"height width", 2>(x); }, 2,
      {.stride = 2}, false);
  compare<Images>(
      "max_pool 3 by 2, " + order,
      [](Images const& x) {
        return max_pool<"height width", 3, Sliding{.stride = 2, .padding = 1}>(x);
      },
      3, overlapping, false);
  compare<Images>(
      "avg_pool 2, " + order, [](Images const& x) { return avg_pool<"height width", 2>(x); }, 2,
      {.stride = 2}, true);
}

int main() {
  set_threads(1);
  bench::header();
  compare_all<ChannelsFirst>("channels first");
  compare_all<ChannelsLast>("channels last");
}
