// The cost of deterministic sums: mpirun -n 2 bench_dist_same_bits. Gradients summed per
// micro-batch compared with average_gradients, exact means compared with sums of floats.
#include "ranks.hpp"

#include <tenon/distributed/collectives/exact_reduction.hpp>
#include <tenon/distributed/data_parallel/average_gradients.hpp>
#include <tenon/distributed/data_parallel/deterministic_sum.hpp>

using namespace tenon;

namespace {

using Gradients = std::vector<Float32<"n">>;

/// That many numbers in four tensors.
Gradients gradients_of(std::int64_t count) { return {4, normal<Float32<"n">>(Key(1), count / 4)}; }

int calls_of(std::int64_t count) {
  return static_cast<int>(std::clamp<std::int64_t>(1'000'000 / count, 1, 100));
}

template <class Ours, class Peer>
void line(char const* name, char const* peer, std::int64_t count, Group const& group,
          Ours const& ours, Peer const& other) {
  auto const pair = bench::compared_together(ours, other, calls_of(count), group);
  if (group.rank() != 0) return;
  std::string const text = std::string(name) + ", " + bench::text_of_bytes(count * 4);
  std::printf("%-36s %-28s %12.1f us %8.2f\n", text.c_str(), peer, pair.seconds * 1e6, pair.ratio);
  bench::figure(text, peer, pair.ratio);
}

/// That many micro-batches on each rank, from `first` on; all have the same gradients here.
Gradients mean_of_pieces(Gradients const& one, int pieces, std::int64_t first, Group const& group) {
  DeterministicSum sum;
  for (int i = 0; i < pieces; ++i) sum.add(first + i, one);
  return sum.mean(one, group);
}
Gradients accumulated(Gradients const& one, int pieces, Group const& group) {
  Gradients sum = one;
  for (int i = 1; i < pieces; ++i)
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = sum[k] + one[k];
  return average_gradients(std::move(sum), group);
}

void gradients(std::int64_t count, Group const& group) {
  Gradients const one = gradients_of(count);
  for (int const pieces : {1, 4, 3}) {
    std::string const name = std::to_string(pieces) + " pieces a rank";
    line(
        name.c_str(), "average_gradients", count, group,
        [&] { (void)mean_of_pieces(one, pieces, pieces * group.rank(), group); },
        [&] { (void)accumulated(one, pieces, group); });
  }
}

template <class T>
void metrics(char const* name, std::int64_t count, Group const& group) {
  using Losses = Tensor<T, "n">;
  auto const losses = to<T>(normal<Float32<"n">>(Key(2), count));
  line(
      name, "mean, all_reduce", count, group, [&] { (void)exact_mean(Losses(losses), group); },
      [&] { (void)all_reduce<op::mean>(mean(losses), group); });
}

}  // namespace

int main() {
  return run([](World& world) {
    if (world.rank() == 0)
      std::printf("%-36s %-28s %15s %8s   (time of the other divided by ours; ranks: %d)\n",
                  "same bits", "beside", "takes", "ratio", world.size());
    for (std::int64_t const count : {1 << 14, 1 << 18, 1 << 22}) gradients(count, world.group());
    for (std::int64_t const count : {1 << 8, 1 << 14, 1 << 20}) {
      metrics<float>("exact_mean of float", count, world.group());
      metrics<double>("exact_mean of double", count, world.group());
    }
  });
}
