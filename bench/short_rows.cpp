// Short rows, 100000 of them: sum, maximum, layer norm, and the addition of one row to all.
// Compared with libtorch, if CMake found it. One thread.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <string>

#include "compare.hpp"
#include "peers/torch_rows.hpp"

using namespace tenon;

/// One line: the time of one row, and the speed beside libtorch, whose function `g` makes.
template <class R, class F, class G>
void line(std::string const& work, R& ours, R const& peer, F const& f, G const& g) {
  auto const run = [&] { ours = f(); };
  double const rows = static_cast<double>(ours.sizes()[0]);
  if constexpr (torch_rows::found) {
    bench::Pair const pair = bench::compared(run, g());
    std::printf("%-30s %8.2f ns %8.2fx %10.1e\n", work.c_str(), pair.seconds * 1e9 / rows,
                pair.ratio, bench::difference(ours.data(), peer.data(), ours.size()));
    bench::figure(work, "libtorch", pair.ratio);
  } else {
    std::printf("%-30s %8.2f ns\n", work.c_str(), bench::seconds(run) * 1e9 / rows);
  }
}

/// Reductions of every row to one number.
template <class Rows>
void compare_reductions(std::string const& width, Rows const& x) {
  auto values = zeros<Float32<"row">>(x.sizes()[0]), peer = values;
  torch_rows::Numbers const numbers(x, x, peer);
  line(
      "sum of rows of " + width, values, peer, [&] { return sum<"n">(x); },
      [&] { return torch_rows::sum(numbers); });
  line(
      "max of rows of " + width, values, peer, [&] { return max<"n">(x); },
      [&] { return torch_rows::max(numbers); });
}

template <class Rows, class Row>
void compare_maps(std::string const& width, Rows const& x, Row const& b) {
  Rows all = x, peer = x;
  torch_rows::Numbers const numbers(x, x, peer);
  auto const layer_norm = [&] {
    auto const centred = x - mean<"n">(x);
    return Rows(centred * rsqrt(mean<"n">(square(centred)) + 1e-5f));
  };
  line("layer norm of rows of " + width, all, peer, layer_norm,
       [&] { return torch_rows::layer_norm(numbers); });
  line(
      "a row added to rows of " + width, all, peer, [&] { return x + b; },
      [&] { return torch_rows::add(numbers, b.data()); });
}

template <class Rows, class Row, class... Sizes>
void compare(std::string const& width, Sizes... sizes) {
  Rows const x = normal<Rows>(Key{1}, 100000, sizes...);
  compare_reductions(width, x);
  compare_maps(width, x, normal<Row>(Key{2}, sizes...));
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
