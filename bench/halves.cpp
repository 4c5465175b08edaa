// Matmuls and formulas of bfloat16: as fractions of the multiply-add rate of one thread in float,
// compared with the same in float and with oneDNN, and as fractions of the rate of tile registers.
//   bench_halves [m,n,k ...]
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <functional>
#include <string>

#include "limits.hpp"
#include "peers/onednn_bfloat.hpp"

using namespace tenon;

struct GemmSize {
  long m, n, k;
  double operations() const { return 2.0 * double(m) * double(n) * double(k); }
};

struct Matrices {
  explicit Matrices(GemmSize const& size)
      : of_float(normal<Float32<"m k">>(Key{1}, size.m, size.k)),
        by_float(normal<Float32<"k n">>(Key{2}, size.k, size.n)),
        a(to<bfloat16>(of_float)),
        b(to<bfloat16>(by_float)),
        peer(zeros<BFloat16<"m n">>(size.m, size.n)) {}

  Float32<"m k"> of_float;
  Float32<"k n"> by_float;
  BFloat16<"m k"> a;
  BFloat16<"k n"> b;
  Float32<"m n"> float_result;
  BFloat16<"m n"> ours, activated, peer;
};

/// The largest difference between our result and the peer's.
double difference(Matrices const& x) {
  double worst = 0;
  for (std::int64_t i = 0; bench::BFloatProduct::is_there && i < x.ours.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(x.ours.data()[i]) -
                                     static_cast<double>(x.peer.data()[i])));
  return worst;
}

/// The fractions of the machine's rates that the variants of one matmul reach in each round.
struct Shares {
  std::vector<double> of_floats[4], of_tiles, beside_peer;

  void take(double operations, std::vector<std::function<void()>> const& ways) {
    double const rate = bench::multiply_add_rate<float>(), tiles = bench::tile_rate();
    double taken[4];
    for (std::size_t i = 0; i < ways.size(); ++i) {
      taken[i] = bench::seconds(ways[i]);
      of_floats[i].push_back(operations / taken[i] / rate);
    }
    of_tiles.push_back(tiles == 0 ? 0 : operations / taken[0] / tiles);
    beside_peer.push_back(taken[3] / taken[0]);
  }

  void print(GemmSize const& size) const {
    std::printf("%5ld %5ld %5ld ", size.m, size.n, size.k);
    for (auto const& share : of_floats) std::printf(" %9.2f", bench::median(share));
    double const tiles = bench::median(of_tiles);
    std::printf(" %9.2f", tiles);
    std::string const work = "bfloat16 product, " + std::to_string(size.m) + " x " +
                             std::to_string(size.n) + " x " + std::to_string(size.k);
    bench::figure(work, "rate of multiply-adds", bench::median(of_floats[0]));
    if (tiles > 0) bench::figure(work, "rate of tiles", tiles);
    if (bench::BFloatProduct::is_there) bench::figure(work, "oneDNN", bench::median(beside_peer));
  }
};

void compare(GemmSize const& size) {
  Matrices x(size);
  bench::BFloatProduct const product(size.m, size.n, size.k);
  std::vector<std::function<void()>> const ways{
      [&] { x.ours = matmul(x.a, x.b); }, [&] { x.activated = relu(matmul(x.a, x.b) + 0.5f); },
      [&] { x.float_result = matmul(x.of_float, x.by_float); },
      [&] { product.multiply(x.a.data(), x.b.data(), x.peer.own_memory()); }};
  Shares shares;
  for (int turn = 0; turn < 9; ++turn) shares.take(size.operations(), ways);
  shares.print(size);
  std::printf(" %9.1e\n", difference(x));
}

/// A formula limited by memory bandwidth, in bfloat16 and in float.
void compare_formula(std::int64_t n) {
  auto const wide = normal<Float32<"n">>(Key{1}, n), more = normal<Float32<"n">>(Key{2}, n);
  auto const a = eval(to<bfloat16>(wide)), b = eval(to<bfloat16>(more));
  Float32<"n"> of_float;
  BFloat16<"n"> ours;
  auto const faster =
      bench::speedup([&] { ours = relu(a * b + a); }, [&] { of_float = relu(wide * more + wide); });
  std::printf("relu(a * b + a), %9lld elements: %.2f times as fast as in float\n",
              static_cast<long long>(n), faster);
  bench::figure("bfloat16 relu(a * b + a), " + std::to_string(n), "float", faster);
}

std::vector<GemmSize> sizes(int count, char** given) {
  std::vector<GemmSize> sizes;
  for (int i = 0; i < count; ++i) {
    GemmSize size{};
    if (std::sscanf(given[i], "%ld,%ld,%ld", &size.m, &size.n, &size.k) == 3) sizes.push_back(size);
  }
  if (!sizes.empty()) return sizes;
  return {{64, 64, 64},     {256, 256, 256}, {1024, 1024, 1024},
          {512, 768, 3072}, {32, 128, 784},  {4, 1024, 1024}};
}

int main(int count, char** given) {
  set_threads(1);
  std::printf("%5s %5s %5s  %9s %9s %9s %9s %9s %9s\n", "m", "n", "k", "ours", "relu", "float",
              bench::BFloatProduct::is_there ? "oneDNN" : "-", "of tiles", "differs");
  for (GemmSize const& size : sizes(count - 1, given + 1)) compare(size);
  for (std::int64_t const n : {10000, 10000000}) compare_formula(n);
}
