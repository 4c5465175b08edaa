// Sums, maxima, means and variances over the last, the first, the middle and the outer axes of a
// block of numbers, compared with loops written by hand for 512 bits as fast-math permits, with
// such loops that propagate NaN, and with Eigen. The rate of reading is that of one loop over the
// same block. One thread, and a sum on two.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <Eigen/Core>
#include <string>
#include <vector>

#include "compare.hpp"
#include "limits.hpp"
#include "nan_loops.hpp"
#include "reduction_loops.hpp"

using namespace tenon;
using namespace tenon::internal;

template <class T>
using Rows = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> const>;

/// A block of a x m x d numbers, viewed as `outer` x `reduced` x `inner`.
template <class T>
struct Block {
  std::int64_t a, m, d;
  Tensor<T, "a m d"> x;
  std::vector<T> peer;

  Block(std::int64_t i, std::int64_t j, std::int64_t k)
      : a(i),
        m(j),
        d(k),
        x(normal<Tensor<T, "a m d">>(Key{1}, i, j, k)),
        peer(static_cast<std::size_t>(i * j * k)) {}
};

/// The handwritten loops over the same numbers.
template <class Fold>
struct Loops {
  static constexpr char const* peer = "loop by hand";
  template <class T>
  static T row(T const* x, std::int64_t rows, std::int64_t step, std::int64_t n) {
    return bench::fold_rows<Fold>(x, rows, step, n, [](auto v, auto) { return v; });
  }
  template <class T>
  static void columns(T const* x, std::int64_t rows, std::int64_t step, std::int64_t n, T* to) {
    bench::fold_columns<Fold>(x, rows, step, n, to, [](auto v, auto) { return v; });
  }
};

struct Sum : Loops<bench::Total> {
  static constexpr char const* name = "sum";
  template <Axes axes, class X>
  static auto f(X const& x) {
    return sum<axes>(x);
  }
  static auto eigen(auto const& lines) { return lines.sum(); }
};

struct Max : Loops<bench::Largest> {
  static constexpr char const* name = "max";
  template <Axes axes, class X>
  static auto f(X const& x) {
    return max<axes>(x);
  }
  static auto eigen(auto const& lines) { return lines.maxCoeff(); }
};

#ifdef __AVX512F__
/// The same compared with a loop that propagates NaN, as Tenon does.
struct MaxOrNaN : Max {
  static constexpr char const* peer = "loop that keeps NaN";
  template <class T>
  static T row(T const* x, std::int64_t rows, std::int64_t step, std::int64_t n) {
    return bench::largest_of_rows(x, rows, step, n);
  }
  template <class T>
  static void columns(T const* x, std::int64_t rows, std::int64_t step, std::int64_t n, T* to) {
    bench::largest_of_columns(x, rows, step, n, to);
  }
  static void eigen() = delete;
};
#endif

struct Mean {
  static constexpr char const* name = "mean";
  static constexpr char const* peer = Sum::peer;
  template <Axes axes, class X>
  static auto f(X const& x) {
    return mean<axes>(x);
  }
  template <class T>
  static T row(T const* x, std::int64_t rows, std::int64_t step, std::int64_t n) {
    return Sum::row(x, rows, step, n) / static_cast<T>(rows * n);
  }
  template <class T>
  static void columns(T const* x, std::int64_t rows, std::int64_t step, std::int64_t n, T* to) {
    Sum::columns(x, rows, step, n, to);
    for (std::int64_t j = 0; j < n; ++j) to[j] /= static_cast<T>(rows);
  }
  static auto eigen(auto const& lines) { return lines.mean(); }
};

struct Variance {
  static constexpr char const* name = "var";
  static constexpr char const* peer = Sum::peer;
  template <Axes axes, class X>
  static auto f(X const& x) {
    return var<axes>(x);
  }
  template <class T>
  static T row(T const* x, std::int64_t rows, std::int64_t step, std::int64_t n) {
    auto const mean = bench::all_lanes(Mean::row(x, rows, step, n));
    auto const square = [mean](auto v, auto) { return (v - mean) * (v - mean); };
    return bench::fold_rows<bench::Total>(x, rows, step, n, square) / static_cast<T>(rows * n);
  }
  template <class T>
  static void columns(T const* x, std::int64_t rows, std::int64_t step, std::int64_t n, T* to) {
    std::vector<T> mean(static_cast<std::size_t>(n));
    Mean::columns(x, rows, step, n, mean.data());
    auto const square = [&](auto v, std::int64_t j) {
      auto const from_mean = v - bench::load(mean.data() + j);
      return from_mean * from_mean;
    };
    bench::fold_columns<bench::Total>(x, rows, step, n, to, square);
    for (std::int64_t j = 0; j < n; ++j) to[j] /= static_cast<T>(rows);
  }
};

template <class Op, class T>
struct Compare {
  static constexpr bool beside_eigen =
      sizeof(T) == 4 && requires(Rows<T> const& rows) { Op::eigen(rows.rowwise()); };

  Block<T>& b;

  template <Axes axes>
  void against(char const* over, char const* peer, std::int64_t results, auto const& rival) {
    typename std::remove_cvref_t<decltype(eval(Op::template f<axes>(b.x)))> ours;
    auto const pair = bench::compared([&] { ours = Op::template f<axes>(b.x); }, rival);
    std::string const work = std::string(Op::name) + ", " + over + ", " +
                             std::to_string(b.x.size() * int{sizeof(T)} / 1024) +
                             (sizeof(T) == 4 ? " KB float" : " KB double");
    bench::line_of_elements(work.c_str(), peer, b.x.size(), pair,
                            bench::difference(ours.data(), b.peer.data(), results));
  }

  void last() {
    T const* const x = b.x.data();
    std::int64_t const rows = b.a * b.m;
    against<"d">("last axis", Op::peer, rows, [&] {
      for (std::int64_t i = 0; i < rows; ++i) b.peer.data()[i] = Op::row(x + i * b.d, 1, 0, b.d);
    });
    Rows<T> const in(x, rows, b.d);
    Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>> out(b.peer.data(), rows);
    if constexpr (beside_eigen)
      against<"d">("last axis", "Eigen", rows, [&] { out = Op::eigen(in.rowwise()); });
  }

  void first() {
    T const* const x = b.x.data();
    std::int64_t const columns = b.m * b.d;
    against<"a">("first axis", Op::peer, columns,
                 [&] { Op::columns(x, b.a, columns, columns, b.peer.data()); });
    Rows<T> const in(x, b.a, columns);
    Eigen::Map<Eigen::Array<T, 1, Eigen::Dynamic>> out(b.peer.data(), columns);
    if constexpr (beside_eigen)
      against<"a">("first axis", "Eigen", columns, [&] { out = Op::eigen(in.colwise()); });
  }

  void middle() {
    T const* const x = b.x.data();
    against<"m">("middle axis", Op::peer, b.a * b.d, [&] {
      for (std::int64_t i = 0; i < b.a; ++i)
        Op::columns(x + i * b.m * b.d, b.m, b.d, b.d, b.peer.data() + i * b.d);
    });
  }

  void outer() {
    T const* const x = b.x.data();
    against<"a d">("first and last", Op::peer, b.m, [&] {
      for (std::int64_t i = 0; i < b.m; ++i)
        b.peer.data()[i] = Op::row(x + i * b.d, b.a, b.m * b.d, b.d);
    });
  }
};

template <class Op, class T>
void compare_over_axes(Block<T>& block) {
  Compare<Op, T> compare{block};
  compare.last();
  compare.first();
  compare.middle();
  compare.outer();
}

template <class T>
void compare_all(std::int64_t a, std::int64_t m, std::int64_t d) {
  Block<T> block(a, m, d);
  if constexpr (sizeof(T) == 4) {
    double const rate = bench::read_rate(block.x.data(), block.x.size());
    std::printf("reading only: %.3f ns per element\n", 4e9 / rate);
  }
  compare_over_axes<Sum>(block);
  compare_over_axes<Max>(block);
#ifdef __AVX512F__
  compare_over_axes<MaxOrNaN>(block);
#endif
  if constexpr (sizeof(T) == 4) compare_over_axes<Mean>(block);
  compare_over_axes<Variance>(block);
}

/// Small integers with a 64-bit sum, compared with a loop vectorised by the compiler.
template <class T>
void compare_integers(char const* work) {
  auto const x = eval(uniform<Tensor<T, "n">>(Key{1}, 0, std::numeric_limits<T>::max(), 4 << 20));
  std::int64_t ours = 0, peer = 0;
  auto const pair = bench::compared([&] { ours = static_cast<std::int64_t>(sum(x).item()); },
                                    [&] { peer = bench::sum_of_integers(x.data(), x.size()); });
  bench::line_of_elements(work, "plain loop", x.size(), pair, static_cast<double>(ours - peer));
}

/// A sum of all numbers on two threads, compared with one thread. (Workers start before the time.)
void compare_threads() {
  auto const x = normal<Float32<"n">>(Key{1}, std::int64_t{1} << 20);
  float one = 0, two = 0;
  auto const time = [&](int count, float& to) {
    set_threads(count);
    return bench::seconds([&] { to = sum(x).item(); });
  };
  std::vector<double> times, ratios;
  for (int i = 0; i < 11; ++i) {
    times.push_back(time(2, two));
    ratios.push_back(time(1, one) / times.back());
  }
  bench::line_of_elements("sum of all, two threads", "one thread", x.size(),
                          {bench::median(times), bench::median(ratios)},
                          static_cast<double>(two - one));
}

int main() {
  set_threads(1);
  bench::header_of_elements();
  compare_threads();
  compare_integers<std::uint8_t>("sum of uint8");
  compare_integers<std::int16_t>("sum of int16");
  compare_integers<std::int32_t>("sum of int32");
  for (auto const& [a, m, d] : {std::array{8, 16, 256}, std::array{64, 64, 512}}) {
    compare_all<float>(a, m, d);
    compare_all<double>(a, m, d);
  }
}
