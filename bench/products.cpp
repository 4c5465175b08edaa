// Matmuls as fractions of the multiply-add rate of one thread, Tenon's and those of other libraries
// alternately; then the cost of fused elementwise maps, and the speedup of a second thread.
//   bench_products [m,n,k ...]
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <functional>
#include <string>

#include "gemm_peers.hpp"
#include "limits.hpp"

using namespace tenon;

struct GemmSize {
  long m, n, k;
  double operations() const { return 2.0 * double(m) * double(n) * double(k); }
};

using Result = Float32<"m n">;

struct Matrices {
  explicit Matrices(GemmSize const& size)
      : a(normal<Float32<"m k">>(Key{1}, size.m, size.k)),
        b(normal<Float32<"k n">>(Key{2}, size.k, size.n)),
        bias(normal<Float32<"n">>(Key{3}, size.n)),
        residual(normal<Result>(Key{4}, size.m, size.n)),
        peer(zeros<Result>(size.m, size.n)) {}

  Float32<"m k"> a;
  Float32<"k n"> b;
  Float32<"n"> bias;
  Result residual, ours, peer;
};

/// One variant of the computation.
struct Way {
  std::string name;
  std::function<void()> run;
  int threads = 1;
  std::vector<double> shares{};    ///< Relative to the rate of one thread.
  std::vector<double> slowdown{};  ///< Time relative to the matmul without an epilogue.
};

/// The matmul without an epilogue is first.
std::vector<Way> our_ways(Matrices& x) {
  return {{"ours", [&] { x.ours = matmul(x.a, x.b); }},
          {"relu", [&] { x.ours = relu(matmul(x.a, x.b) + x.bias); }},
          {"gelu", [&] { x.ours = gelu(matmul(x.a, x.b) + x.bias); }},
          {"residual", [&] { x.ours = matmul(x.a, x.b) + x.bias + x.residual; }},
          {"two threads", [&] { x.ours = matmul(x.a, x.b); }, 2}};
}

void take_turn(std::vector<Way>& ways, double operations) {
  double const rate = bench::multiply_add_rate<float>();
  double bare = 0;
  for (Way& way : ways) {
    if (threads() != way.threads) set_threads(way.threads);
    way.run();
    double const taken = bench::seconds(way.run);
    if (&way == ways.data()) bare = taken;
    way.shares.push_back(operations / taken / rate);
    way.slowdown.push_back(taken / bare);
  }
  set_threads(1);
}

/// The largest difference between our result and a peer's.
double difference(Matrices& x, GemmSize const& size, std::vector<bench::GemmPeer> const& peers) {
  double worst = 0;
  x.ours = matmul(x.a, x.b);
  for (auto const& peer : peers) {
    peer.multiply(size.m, size.n, size.k, x.a.data(), x.b.data(), x.peer.own_memory());
    worst = std::max(
        worst, bench::difference(x.ours.data(), x.peer.data(), std::int64_t{size.m} * size.n));
  }
  return worst;
}

void print_line(GemmSize const& size, std::vector<Way> const& ways, std::size_t own) {
  std::printf("%5ld %5ld %5ld  %7.2f", size.m, size.n, size.k, bench::median(ways[0].shares));
  for (std::size_t i = own; i < ways.size(); ++i)
    std::printf(" %9.2f", bench::median(ways[i].shares));
  std::printf("   ");
  for (std::size_t i = 1; i < own; ++i) std::printf(" %6.2f", bench::median(ways[i].slowdown));
}

/// The matmul without an epilogue relative to the machine's rate and the peers, then the variants
/// relative to it.
void write_figures(GemmSize const& size, std::vector<Way> const& ways, std::size_t own) {
  std::string const work = "product, " + std::to_string(size.m) + " x " + std::to_string(size.n) +
                           " x " + std::to_string(size.k);
  double const ours = bench::median(ways[0].shares);
  bench::figure(work, "rate of multiply-adds", ours);
  for (std::size_t i = own; i < ways.size(); ++i)
    bench::figure(work, ways[i].name, ours / bench::median(ways[i].shares));
  for (std::size_t i = 1; i < own; ++i)
    bench::figure(work + ", " + ways[i].name, "bare", 1 / bench::median(ways[i].slowdown));
}

void compare(GemmSize const& size, std::vector<bench::GemmPeer> const& peers) {
  Matrices x(size);
  float* const out = x.peer.own_memory();
  std::vector<Way> ways = our_ways(x);
  std::size_t const own = ways.size();
  for (auto const& peer : peers) {
    ways.push_back({peer.name, [&, multiply = peer.multiply] {
                      multiply(size.m, size.n, size.k, x.a.data(), x.b.data(), out);
                    }});
  }
  for (int turn = 0; turn < 9; ++turn) take_turn(ways, size.operations());
  print_line(size, ways, own);
  write_figures(size, ways, own);
  std::printf(" %9.1e\n", difference(x, size, peers));
}

void header(std::vector<bench::GemmPeer> const& peers) {
  std::printf(
      "%.0f GFLOP/s is the rate of one thread. Fractions of it; then times relative to our"
      " matmul without an epilogue.\n",
      bench::multiply_add_rate<float>() / 1e9);
  std::printf("%5s %5s %5s  %7s", "m", "n", "k", "ours");
  for (auto const& peer : peers) std::printf(" %9s", peer.name);
  std::printf("    %6s %6s %6s %6s %9s\n", "relu", "gelu", "resid", "2 thr", "differs");
}

std::vector<GemmSize> sizes(int count, char** given) {
  std::vector<GemmSize> sizes;
  for (int i = 0; i < count; ++i) {
    GemmSize size{};
    if (std::sscanf(given[i], "%ld,%ld,%ld", &size.m, &size.n, &size.k) == 3) sizes.push_back(size);
  }
  if (!sizes.empty()) return sizes;
  for (long const n : {64, 128, 256, 512, 1024, 2048}) sizes.push_back({n, n, n});
  for (GemmSize const& size : {GemmSize{32, 128, 784}, GemmSize{512, 3072, 768},
                               GemmSize{512, 768, 3072}, GemmSize{4, 1024, 1024}})
    sizes.push_back(size);
  return sizes;
}

int main(int count, char** given) {
  auto const peers = bench::gemm_peers();
  header(peers);
  for (GemmSize const& size : sizes(count - 1, given + 1)) compare(size, peers);
}
