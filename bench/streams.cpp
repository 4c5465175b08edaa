// Formulas limited by memory bandwidth, at sizes from the first cache to main memory, compared with
// a handwritten loop, with Eigen, and with libtorch if CMake found it. One thread.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <Eigen/Core>
#include <string>

#include "compare.hpp"
#include "peers/torch_streams.hpp"
#include "stream.hpp"

using namespace tenon;

using Vector = Eigen::Map<Eigen::ArrayXf>;
using Numbers = Float32<"n">;

/// The largest result that is written through the caches.
constexpr std::int64_t cached_elements = std::int64_t{1} << 21;

void relu_of_sum(std::int64_t n) {
  Numbers a = normal<Numbers>(Key{1}, n), b = normal<Numbers>(Key{2}, n);
  Numbers c = normal<Numbers>(Key{3}, n), ours, peer = zeros<Numbers>(n);
  Vector const x(a.own_memory(), n), y(b.own_memory(), n), z(c.own_memory(), n);
  Vector out(peer.own_memory(), n);
  std::string const work = "relu(a * b + c), " + std::to_string(n);
  auto const compare = [&](char const* name, auto const& rival) {
    auto const pair = bench::compared([&] { ours = relu(a * b + c); }, rival);
    bench::line_of_elements(work.c_str(), name, n, pair,
                            bench::difference(ours.data(), peer.data(), n));
  };
  compare("loop by hand", [&] {
    bench::multiply_add_relu(a.data(), b.data(), c.data(), out.data(), n, cached_elements);
  });
  compare("Eigen expression", [&] { out = (x * y + z).max(0.0f); });
  if constexpr (torch_streams::found) {
    auto const torch = torch_streams::relu_of_sum(a.data(), b.data(), c.data(), n);
    auto const pair = bench::compared([&] { ours = relu(a * b + c); }, torch);
    bench::line_of_elements(work.c_str(), "libtorch", n, pair,
                            bench::difference(ours.data(), torch(), n));
  }
}

void sum_of_two(std::int64_t n) {
  Numbers a = normal<Numbers>(Key{1}, n), b = normal<Numbers>(Key{2}, n), ours,
          peer = zeros<Numbers>(n);
  Vector const x(a.own_memory(), n), y(b.own_memory(), n);
  Vector out(peer.own_memory(), n);
  std::string const work = "a + b, " + std::to_string(n);
  auto const pair = bench::compared([&] { ours = a + b; }, [&] { out = x + y; });
  bench::line_of_elements(work.c_str(), "Eigen expression", n, pair,
                          bench::difference(ours.data(), peer.data(), n));
}

int main() {
  set_threads(1);
  bench::header_of_elements();
  for (std::int64_t n : {1'000, 10'000, 100'000, 1'000'000, 10'000'000}) {
    relu_of_sum(n);
    sum_of_two(n);
  }
}
