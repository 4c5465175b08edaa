// sanitize: thread
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/testing.hpp>

#include "counting.hpp"

namespace pool_test {

using namespace tenon::internal;

using namespace counting;

namespace {

constexpr Sliding overlapping{.stride = 2, .padding = 1};
constexpr Sliding dense{.stride = 1, .padding = 1};
constexpr Sliding apart{.stride = 3, .padding = 1, .dilation = 2};

/// The element that the definition gives: the largest, its position, the sum of a window.
struct Window {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  std::int64_t position = -1;

  void add(double x, std::int64_t at) {
    bool const is_first = position < 0, is_none = x != x && largest == largest;
    if (is_first || x > largest || is_none) largest = x, position = at;
    sum += x;
  }
};

/// The elements of the window at `place`, by all combinations of its offsets.
template <class E>
Window window_at(E const& x, Pooling const& pooling, ElementIndex const& place) {
  constexpr int rank = E::rank;
  Sizes taps = unit_sizes();
  for (int i = 0; i < rank; ++i) at(taps, i) = pooling.axes[i] ? pooling[i].size : 1;
  Window window;
  ElementIndex tap{};
  do {
    ElementIndex from = place;
    std::int64_t position = 0;
    bool is_inside = true;
    for (int i = 0; i < rank; ++i) {
      if (!pooling.axes[i]) continue;
      Sliding const& of = pooling[i].sliding;
      at(from, i) = at(place, i) * of.stride - of.padding + at(tap, i) * of.dilation;
      is_inside = is_inside && at(from, i) >= 0 && at(from, i) < at(x.sizes(), i);
      position = position * at(x.sizes(), i) + at(from, i);
    }
    if (is_inside)
      window.add(static_cast<double>(x.data()[offset(row_major(x.sizes(), rank), from, rank)]),
                 position);
  } while (next(tap, taps, rank));
  return window;
}

bool is_same(double a, double b) { return a == b || (a != a && b != b); }

/// Compares all results with the definition.
template <Axes axes, std::int64_t size, Sliding sliding, class E>
void check_pooling(E const& x) {
  INFO(spec(x), " ", size, " ", sliding.stride, " ", sliding.padding);
  using T = typename E::value_type;
  Pooling const pooling{Chosen<axes, E>::value, size, sliding};
  auto const largest = max_pool<axes, size, sliding>(x);
  auto const [values, indices] = max_pool_with_indices<axes, size, sliding>(x);
  double const all = std::pow(static_cast<double>(size), pooling.axes.count);
  auto mean = [&] {
    if constexpr (FloatType<T>) return avg_pool<axes, size, sliding>(x);
    else return largest;
  }();
  if (largest.size() == 0) return;
  ElementIndex place{};
  std::int64_t i = 0;
  bool equal = true, near = true;
  do {
    Window const window = window_at(x, pooling, place);
    equal = equal && is_same(static_cast<double>(largest.data()[i]), window.largest) &&
            is_same(static_cast<double>(values.data()[i]), window.largest) &&
            indices.data()[i] == window.position;
    double const expected = window.sum / all, got = static_cast<double>(mean.data()[i]);
    double const digits = std::is_same_v<T, double> ? 1e-13 : HalfType<T> ? 0.01 : 1e-5;
    if constexpr (FloatType<T>)
      near = near && (is_same(got, expected) || std::abs(got - expected) <= digits * 10);
    ++i;
  } while (next(place, largest.sizes(), E::rank));
  CHECK(i == largest.size());
  CHECK(equal);
  CHECK(near);
}

/// Numbers with ties; NaN, infinities and both zeros if `special`.
template <class R, class... I>
R mixed(bool special, I... sizes) {
  using T = typename R::value_type;
  R x = R::uninitialised(R::with_run_time_sizes({static_cast<std::int64_t>(sizes)...}));
  for (std::int64_t i = 0; i < x.size(); ++i) {
    T& to = x.mutable_data()[i];
    to = static_cast<T>(i * 37 % 23 - 11);
    if constexpr (FloatType<T>) {
      using Limits = std::numeric_limits<double>;
      if (special && i % 29 == 4) to = static_cast<T>(Limits::quiet_NaN());
      if (special && i % 31 == 3) to = static_cast<T>(Limits::infinity() * (i % 2 == 0 ? 1 : -1));
    }
  }
  return x;
}

template <class T, class D>
void check_images(bool special) {
  using First = Tensor<T, "batch channel=3 height width", D>;
  for (auto const& [h, w] : std::array<std::array<int, 2>, 3>{{{9, 37}, {4, 70}, {3, 5}}}) {
    auto const x = mixed<First>(special, 2, h, w);
    check_pooling<"height width", 2, Sliding{.stride = 2}>(x);
    check_pooling<"height width", 3, overlapping>(x);
    check_pooling<"height width", 3, dense>(x);
    check_pooling<"width", 3, apart>(x);
    check_pooling<"height width", 3, Sliding{.stride = 9, .padding = 1}>(x);
  }
}

/// Windows side by side and overlapping, whose loops are those of every dtype.
template <class T>
void check_dtype(bool special) {
  auto const x = mixed<Tensor<T, "batch channel=3 height width">>(special, 2, 9, 37);
  check_pooling<"height width", 2, Sliding{.stride = 2}>(x);
  check_pooling<"height width", 3, overlapping>(x);
}

template <class T>
void check_orders(bool special) {
  using Last = Tensor<T, "batch height width channel">;
  for (int const channels : {1, 3, 16, 19}) {
    auto const x = mixed<Last>(special, 2, 9, 7, channels);
    check_pooling<"height width", 2, Sliding{.stride = 2}>(x);
    check_pooling<"height width", 3, overlapping>(x);
    check_pooling<"height width", 3, dense>(x);
    check_pooling<"batch width", 2, dense>(x);
    check_pooling<"height channel", 1, Sliding{.stride = 2}>(x);
  }
  auto const video = mixed<Tensor<T, "depth=5 channel=2 height=6 width=7">>(special);
  check_pooling<"depth height width", 2, Sliding{.stride = 2}>(video);
  check_pooling<"depth height width", 3, overlapping>(video);
  check_pooling<"depth height width", 3, apart>(video);
}

}  // namespace

TEST_CASE("pooling gives what the definition gives") {
  for (bool const special : {false, true}) {
    check_images<float, Cpu>(special);
    check_images<double, Cpu>(special);
    check_images<float, Reference>(special);
    check_orders<float>(special);
  }
}

TEST_CASE("pooling of 16-bit numbers and of integers") {
  check_dtype<bfloat16>(true);
  check_dtype<float16>(true);
  check_dtype<std::int8_t>(false);
  check_dtype<std::uint8_t>(false);
  check_dtype<std::int64_t>(false);
}

TEST_CASE("pooling of empty tensors, axes of one element and small static tensors") {
  CHECK(max_pool<"height width", 2>(zeros<Float32<"batch height=4 width=6">>(0)).size() == 0);
  CHECK(avg_pool<"height", 2>(zeros<Float32<"height=4 channel">>(0)).size() == 0);
  check_pooling<"height width", 1, Sliding{}>(mixed<Float32<"batch=2 height=1 width=1">>(false));
  check_pooling<"height width", 3, dense>(mixed<Float32<"height=1 width=2">>(false));
  check_pooling<"n", 2, Sliding{.stride = 2}>(mixed<Float32<"n=4">>(false));
}

TEST_CASE("a window of padding alone is -infinity at position -1") {
  Float32<"n=9"> const x = mixed<Float32<"n=9">>(false);
  auto const [values, indices] =
      max_pool_with_indices<"n", 2, Sliding{.padding = 1, .dilation = 10}>(x);
  CHECK(values(0) == -std::numeric_limits<float>::infinity());
  CHECK(indices(0) == -1);
  auto const dx = grad([](auto const& m) {
    return sum(max_pool<"n", 2, Sliding{.padding = 1, .dilation = 10}>(m));
  })(x);
  CHECK(elements(dx) == std::vector<double>(9, 0));
}

TEST_CASE("pooled axes keep their names") {
  auto const x = zeros<Float32<"batch channel=3 height=28 width">>(2, 9);
  CHECK(spec(max_pool<"height width", 2>(x)) == "batch channel=3 height=14 width=width//2");
  CHECK(spec(avg_pool<"width", 3, dense>(x)) == "batch channel=3 height=28 width");
  CHECK(spec(max_pool_with_indices<-1, 2>(x).indices) ==
        "batch channel=3 height=28 width=width//2");
  CHECK(spec(max_pool<"height", 3, overlapping>(exp(x))) == "batch channel=3 height=14 width");
}

TEST_CASE("a window longer than a run-time axis throws") {
  auto const x = zeros<Float32<"t">>(3);
  CHECK_THROWS_WITH_AS((max_pool<"t", 4>(x)),
                       "tenon::max_pool: 't': expected a range within 0..3, got 0..4 (\"t\")",
                       IndexError);
}

TEST_CASE_TEMPLATE("the gradient belongs to the first of equal elements", D, Cpu, Reference) {
  Float64<"row=2 n=4", D> const x{{3, 3, 1, 2}, {3, 1, 2, 2}};
  auto const dx = grad([](auto const& m) { return sum(max_pool<"row n", 2>(m)); })(x);
  CHECK(elements(dx) == std::vector<double>{1, 0, 0, 1, 0, 0, 0, 0});
  auto const twice =
      grad([](auto const& m) { return sum(max_pool<"n", 2, Sliding{.stride = 1}>(m)); })(x);
  CHECK(elements(twice) == std::vector<double>{1, 1, 0, 1, 1, 0, 2, 0});
}

namespace {

template <class X>
X spread_out(int seed, auto... sizes) {
  return eval(3.0 * uniform<X>(Key{static_cast<std::uint64_t>(seed)}, sizes...));
}

/// Checks the gradient of a weighted sum, and that of a norm of the gradient.
template <class X, class F>
void check_gradients(X const& x, F const& f) {
  auto const loss = [&](X const& m) { return eval(sum(sin(f(m)))); };
  CHECK_GRADIENT(loss, x, 1e-6);
  CHECK_GRADIENT([&](X const& m) { return eval(sum(square(grad(loss)(m)))); }, x, 1e-6);
}

}  // namespace

TEST_CASE("first and second derivatives agree with finite differences") {
  auto const x = spread_out<Float64<"b=2 h=5 c=2 w=4">>(1);
  check_gradients(x, [](auto const& m) { return max_pool<"h w", 2>(m); });
  check_gradients(x, [](auto const& m) { return max_pool<"h w", 3, overlapping>(m); });
  check_gradients(x, [](auto const& m) { return max_pool_with_indices<"c w", 2>(m).values; });
  check_gradients(x, [](auto const& m) { return avg_pool<"h w", 2>(m); });
  check_gradients(x, [](auto const& m) { return avg_pool<"h w", 3, overlapping>(m); });
  check_gradients(x, [](auto const& m) { return avg_pool<"b h", 2, dense>(m); });
  check_gradients(x, [](auto const& m) { return avg_pool<"h", 3, apart>(m); });
  check_gradients(x, [](auto const& m) { return avg_pool<"h w", 4, dense>(m); });
}

TEST_CASE("the mean of padding counts, and its gradient is dropped") {
  Float32<"n=3"> const x{1, 2, 3};
  CHECK(elements(avg_pool<"n", 2, Sliding{.padding = 1}>(x)) ==
        std::vector<double>{0.5, 1.5, 2.5, 1.5});
  auto const dx = grad([](auto const& m) {
    return sum(avg_pool<"n", 2, Sliding{.stride = 2, .padding = 1}>(m) * Float32<"n=2">{4, 8});
  })(x);
  CHECK(elements(dx) == std::vector<double>{2, 4, 4});
}

TEST_CASE("gradients of 16-bit numbers are sums of floats") {
  auto const x = mixed<BFloat16<"t=300">>(false);
  auto const dx = grad(
      [](auto const& m) { return sum(to<float>(avg_pool<"t", 299, Sliding{.stride = 1}>(m))); })(x);
  CHECK(static_cast<float>(dx(1)) == doctest::Approx(2.0 / 299).epsilon(0.01));
}

TEST_CASE("pooling has the same bits for any number of threads, recorded or not") {
  auto const x = normal<Float32<"batch channel=5 height=33 width=31">>(Key{1}, 4);
  auto const f = [](auto const& m) {
    return eval(sum(max_pool<"height width", 3, overlapping>(m)) +
                sum(avg_pool<"height width", 3, overlapping>(m)));
  };
  auto const bits_of_values = [](auto const& a) {
    return std::string(reinterpret_cast<char const*>(a.data()),
                       static_cast<std::size_t>(a.size()) * sizeof(float));
  };
  int const before = threads();
  set_threads(1);
  auto const alone = value_and_grad(f)(x);
  auto const plain = bits_of_values(max_pool<"height width", 3, overlapping>(x));
  for (int const number : {2, 3, 4}) {
    set_threads(number);
    auto const [y, dx] = value_and_grad(f)(x);
    CHECK(y == alone.first);
    CHECK(bits_of_values(dx) == bits_of_values(alone.second));
    CHECK(bits_of_values(max_pool<"height width", 3, overlapping>(x)) == plain);
  }
  set_threads(before);
  CHECK(f(x) == alone.first);
}

}  // namespace pool_test
