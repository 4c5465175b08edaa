// Data parallel training: mpirun -n 2 bench_dist_training. A step on one rank, and on all ranks
// with the same batch each; gradients averaged after or during the backward pass; and an estimate
// for more ranks from the counted bytes. One thread each; the ranks share one machine.
#include <tenon/distributed/communication/traffic.hpp>
#include <tenon/distributed/data_parallel/average_gradients.hpp>
#include <tenon/distributed/data_parallel/overlapped_average.hpp>

#include "ranks.hpp"

using namespace tenon;

namespace {

constexpr std::int64_t batch = 128, step_calls = 8, bucket = 1 << 20;

struct Mlp {
  Linear<"pixel=784", "hidden=512"> first;
  Linear<"hidden=512", "hidden=512"> second;
  Linear<"hidden=512", "digit=10"> third;
};

struct Data {
  Float32<"batch pixel=784"> images = normal<Float32<"batch pixel=784">>(Key(1), batch);
  Int32<"batch"> labels = uniform<Int32<"batch">>(Key(2), 0, 10, batch);
};

auto const loss = [](Mlp const& m, auto const& later, Data const& data) {
  Float32<"batch hidden=512"> const a = relu(later(m.first)(data.images));
  Float32<"batch hidden=512"> const b = relu(later(m.second)(a));
  return cross_entropy<"digit">(later(m.third)(b), data.labels);
};
auto const as_it_is = [](auto const& part) { return part; };

Mlp gradient(Mlp const& model, Data const& data) {
  return grad([&](Mlp const& m) { return loss(m, as_it_is, data); })(model);
}

void step(Mlp& model, Mlp const& gradients) {
  tree::zip([](auto& w, auto const& g) { w = w - 1e-3f * g; }, model, gradients);
}

/// Seconds of a step on one rank, while the others wait.
double alone(Mlp model, Data const& data, Group const& all) {
  double taken = 0;
  auto const once = [&] { step(model, gradient(model, data)); };
  for (int turn = 0; turn < 2 && all.rank() == 0; ++turn)
    taken = bench::seconds_together(once, 4 * step_calls, Group());
  tenon::internal::mpi::broadcast(&taken, 1, 0, all);
  return taken;
}

/// The bfloat16 rate of an H100 SXM, of which 40 % are assumed to be reached; one direction of its
/// NVLink (900 GB/s in both directions) and of NDR InfiniBand (400 Gb/s per device): NVIDIA's data
/// sheets of H100 and ConnectX-7. The latency of a message is assumed.
constexpr double flops = 0.4 * 989e12, nvlink = 450e9, infiniband = 50e9;
constexpr double nvlink_latency = 3e-6, infiniband_latency = 5e-6;

/// An all_reduce of that many bytes: over the 8 devices of a machine in a ring, and of an eighth
/// each over the machines, in a tree.
double seconds_of_sum(double bytes, int ranks) {
  double const inside = 8, machines = ranks / inside;
  double const near = 2 * (inside - 1) * (bytes / inside / nvlink + nvlink_latency);
  if (machines <= 1) return near;
  return near + 2 * (machines - 1) / machines * bytes / inside / infiniband +
         2 * std::ceil(std::log2(machines)) * infiniband_latency;
}

/// A model of 1.3e9 parameters with 16,384 tokens per rank: 6 operations for each parameter and
/// token.
void on_paper(double bytes_of_parameter) {
  constexpr double parameters = 1.3e9, tokens = 16384;
  double const computing = 6 * parameters * tokens / flops;
  std::printf("\nestimate for 1.3e9 parameters: computing takes %.0f ms per step\n",
              computing * 1e3);
  std::printf("%8s %16s %16s %16s\n", "ranks", "averages take", "after, scales", "during, scales");
  for (int const ranks : {8, 64, 1024}) {
    double const sending = seconds_of_sum(bytes_of_parameter * parameters, ranks);
    double const hidden = std::max(computing, computing / 3 + sending);  // two thirds are backward
    std::printf("%8d %13.1f ms %16.3f %16.3f\n", ranks, sending * 1e3,
                computing / (computing + sending), computing / hidden);
  }
}

/// Durations of steps in seconds.
struct Steps {
  double alone, together, after, during;

  void print() const {
    auto const line = [&](char const* what, double taken) {
      std::printf("%-40s %8.2f ms per step, scales %.2f\n", what, taken * 1e3, alone / taken);
    };
    line("one rank alone", alone);
    line("all at once, each for itself", together);
    line("averaged after the backward pass", after);
    line("averaged during it", during);
    bench::figure("training step over ranks", "one rank", alone / after);
    bench::figure("training step over ranks", "all at once, not averaged", together / after);
    bench::figure("averages during the backward pass", "after it", after / during);
  }
};

Steps steps(Mlp& model, Data const& data, Group const& all) {
  auto const own = [&] { step(model, gradient(model, data)); };
  auto const after = [&] { step(model, average_gradients(gradient(model, data), all, bucket)); };
  auto const during = [&] {
    step(model, value_and_grad_averaged(loss, all, bucket)(model, data).second);
  };
  double const one = alone(model, data, all);
  double const together = bench::compared_together(own, after, step_calls, all).seconds;
  auto const pair = bench::compared_together(during, after, step_calls, all);
  return {one, together, pair.seconds * pair.ratio, pair.seconds};
}

void measure(Group const& all) {
  Data const data;
  auto model = init::normal<Mlp>(Key(3), 0.05f);
  mpi::Traffic const traffic;
  (void)average_gradients(model, all, bucket);
  double const n = all.size(), sent = double(traffic.sent());
  double parameters = 0;
  tree::for_each([&](auto const& leaf) { parameters += double(leaf.size()); }, model);
  Steps const taken = steps(model, data, all);
  if (all.rank() != 0) return;
  std::printf("%.0f parameters, batch of %d per rank, %.0f ranks\n", parameters, int(batch), n);
  taken.print();
  double const each = n == 1 ? sizeof(float) : sent * n / (2 * (n - 1)) / parameters;
  std::printf("a rank sends %.0f bytes per step, %.2f per parameter\n", sent, each);
  on_paper(each);
}

}  // namespace

int main() {
  set_threads(1);
  return run([](World& world) { measure(world.group()); });
}
