// Short rows, 100000 of them: sum, maximum, layer norm, and the addition of one row to all.
// Compared with libtorch, if CMake found it. One thread.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <string>

#include "compare.hpp"
#include "peers/torch_rows.hpp"

using namespace tenon;

/// One line: the time of one row, and the speed beside libtorch.
template <class R, class F, class G>
void line(std::string const& work, R& ours, R const& peer, F const& f, G const& g) {
  auto const run = [&] { ours = f(); };
  double const rows = static_cast<double>(ours.sizes()[0]);
  if constexpr (torch_rows::found) {
    bench::Pair const pair = bench::compared(run, g);
    std::printf("%-30s %8.2f ns %8.2fx %10.1e\n", work.c_str(), pair.seconds * 1e9 / rows,
                pair.ratio, bench::difference(ours.data(), peer.data(), ours.size()));
    bench::figure(work, "libtorch", pair.ratio);
  } else {
    std::printf("%-30s %8.2f ns\n", work.c_str(), bench::seconds(run) * 1e9 / rows);
  }
}

template <class Rows, class Row, class... Sizes>
void compare(std::string const& width, Sizes... sizes) {
  constexpr std::int64_t count = 100000;
  Rows const x = normal<Rows>(Key{1}, count, sizes...);
  Row const b = normal<Row>(Key{2}, sizes...);
  Rows all = x, peer = x;
  Float32<"row"> values = zeros<Float32<"row">>(count), peer_values = values;
  torch_rows::Numbers const to_all(x, x, peer), to_values(x, x, peer_values);
  line(
      "sum of rows of " + width, values, peer_values, [&] { return sum<"n">(x); },
      torch_rows::sum(to_values));
  line(
      "max of rows of " + width, values, peer_values, [&] { return max<"n">(x); },
      torch_rows::max(to_values));
  line(
      "layer norm of rows of " + width, all, peer,
      [&] {
        auto const centred = x - mean<"n">(x);
        return centred * rsqrt(mean<"n">(square(centred)) + 1e-5f);
      },
      torch_rows::layer_norm(to_all));
  line(
      "a row added to rows of " + width, all, peer, [&] { return x + b; },
      torch_rows::add(to_all, b.data()));
}

int main() {
  set_threads(1);
  compare<Float32<"row n=7">, Float32<"n=7">>("7");
  compare<Float32<"row n=8">, Float32<"n=8">>("8");
  compare<Float32<"row n=17">, Float32<"n=17">>("17");
  compare<Float32<"row n=100">, Float32<"n=100">>("100");
  for (std::int64_t n : {7, 17, 100})
    compare<Float32<"row n">, Float32<"n">>("n = " + std::to_string(n), n);
}
