// An LSTM and a GRU of 128 over 256 steps of 32 sequences, forward and with the gradient of their
// parameters. Compared with libtorch, if CMake found it. One thread.
#include <tenon/nn/recurrent_layers.hpp>
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <string>
#include <vector>

#include "compare.hpp"
#include "peers/torch_recurrent.hpp"

using namespace tenon;

constexpr torch_recurrent::Sizes lstm_sizes{256, 32, 128, 128};
using Inputs = Float32<"time batch input=128">;

template <class Layer>
struct Work {
  Inputs x = normal<Inputs>(Key{1}, lstm_sizes.steps, lstm_sizes.batch);
  Layer layer = init::normal<Layer>(Key{2}, 0.1), gradient = layer;

  auto loss(Layer const& l) const { return sum(square(l(x).first)); }
  void forward() const { (void)eval(loss(layer)); }
  void backward() {
    gradient = grad([&](Layer const& l) { return loss(l); })(layer);
  }
};

/// Beside libtorch. (A template: without it this is not compiled.)
template <class Layer, class Peer>
void compare(std::string const& name, int gates) {
  Work<Layer> work;
  Layer const& l = work.layer;
  Peer const peer(
      gates, lstm_sizes,
      {work.x.data(), l.weight_ih.data(), l.weight_hh.data(), l.bias_ih.data(), l.bias_hh.data()});
  std::vector<float> theirs(static_cast<std::size_t>(l.weight_hh.size()));
  auto const forward = bench::compared([&] { work.forward(); }, [&] { (void)peer.forward(); });
  auto const both =
      bench::compared([&] { work.backward(); }, [&] { peer.backward(theirs.data()); });
  bench::line((name + ", forward").c_str(), "libtorch", forward.ratio, 0);
  bench::line((name + ", forward and backward").c_str(), "libtorch", both.ratio,
              bench::difference(work.gradient.weight_hh.data(), theirs.data(),
                                static_cast<std::int64_t>(theirs.size())));
  std::printf("%.2f ms, %.2f ms\n", forward.seconds * 1e3, both.seconds * 1e3);
}

template <class Layer>
void alone(char const* name) {
  Work<Layer> work;
  std::printf("%s: forward %.2f ms, forward and backward %.2f ms\n", name,
              1e3 * bench::seconds([&] { work.forward(); }),
              1e3 * bench::seconds([&] { work.backward(); }));
}

template <class Layer>
void run(char const* name, int gates) {
  if constexpr (torch_recurrent::found) compare<Layer, torch_recurrent::Layer>(name, gates);
  else alone<Layer>(name);
}

int main() {
  set_threads(1);
  bench::header();
  run<LSTM<"input=128", "hidden=128">>("LSTM", 4);
  run<GRU<"input=128", "hidden=128">>("GRU", 3);
}
