// A user-defined host device, as CONTRIBUTING.md describes it: the defaults provide what its
// backend does not define.

#include <doctest/doctest.h>

#include <vector>

#include <tenon/tenon.hpp>

using namespace tenon;

/// The processor, one element at a time.
struct Plain {
  static constexpr std::string_view name = "plain";
  static constexpr bool is_host = true;
};

struct PlainBackend : BackendDefaults<Plain> {};

template <>
struct tenon::BackendFor<Plain> {
  using type = PlainBackend;
};

static_assert(Backend<PlainBackend>);

/// A device whose backend overrides one verb.
struct Counting : Plain {};

struct CountingBackend : BackendDefaults<Counting> {
  static inline int products = 0;

  template <class T>
  static void product(MatrixProduct<T> const& p, std::byte* scratch) {
    ++products;
    BackendDefaults<Counting>::product(p, scratch);
  }
};

template <>
struct tenon::BackendFor<Counting> {
  using type = CountingBackend;
};

static_assert(Backend<CountingBackend>);

namespace {

/// A verb with the wrong parameters, and a backend that is not registered for a device.
struct WrongVerb : BackendDefaults<Plain> {
  static void contract(int);
};
struct NotFound : BackendDefaults<Plain> {};
static_assert(!tenon::internal::EvaluatingBackend<WrongVerb>);
static_assert(tenon::internal::EvaluatingBackend<NotFound> && !Backend<NotFound>);

template <class X>
std::vector<double> elements_of(X const& x) {
  std::vector<double> all;
  for (std::int64_t i = 0; i < x.size(); ++i) all.push_back(static_cast<double>(x.data()[i]));
  return all;
}

void check_near(std::vector<double> const& got, std::vector<double> const& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == doctest::Approx(expected[i]));
}

/// Checks that the value of `f` is the one on the processor.
template <class F, class... X>
void same_value(F const& f, X const&... x) {
  check_near(elements_of(eval(f(to<Plain>(x)...))), elements_of(eval(f(x...))));
}

/// Checks the gradient of a sum of its elements with respect to the first operand.
template <class F, class X, class... Y>
void same_gradient(F const& f, X const& x, Y const&... y) {
  same_value(f, x, y...);
  auto const derivative = [&](auto const& at, auto const&... rest) {
    return grad([&](auto const& leaf) { return sum(square(f(leaf, rest...))); })(at);
  };
  same_value(derivative, x, y...);
}

using Matrix = Float32<"row column">;
Matrix numbers(std::uint64_t seed) { return normal<Matrix>(Key(seed), 5, 6); }

}  // namespace

TEST_CASE("elementwise maps and reductions on a user-defined device") {
  Matrix const x = numbers(1), y = numbers(2);
  same_value([](auto const& a, auto const& b) { return exp(a) * b + 1.0f; }, x, y);
  same_value([](auto const& a) { return sum<"row">(a); }, x);
  same_gradient([](auto const& a) { return softmax<"column">(a); }, x);
}

TEST_CASE("matmuls on a user-defined device") {
  Matrix const x = numbers(1);
  Float32<"column out"> const w = normal<Float32<"column out">>(Key(3), 6, 4);
  same_gradient([](auto const& a, auto const& b) { return relu(matmul(a, b) + 1.0f); }, x, w);
  same_value([](auto const& a, auto const& b) { return einsum<"i j, j k -> k i">(a, b); }, x, w);
  auto const image = normal<Float32<"batch channel height width">>(Key(4), 2, 3, 6, 5);
  auto const kernel = normal<Float32<"out channel height=3 width=3">>(Key(5), 4, 3);
  same_gradient([](auto const& a, auto const& k) { return convolve<"height width">(a, k); }, image,
                kernel);
}

TEST_CASE("a verb of a backend overrides the default") {
  auto const x = ones<Float32<"row column", Counting>>(5, 6);
  auto const loss = [](auto const& a) { return sum(matmul(a, transpose(a))); };
  CountingBackend::products = 0;
  CHECK(grad(loss)(x)(1, 2) == 10);
  CHECK(CountingBackend::products == 3);
}

TEST_CASE("gathers and operations along an axis on a user-defined device") {
  Matrix const x = numbers(1);
  Int32<"chosen"> const ids = iota<Int32<"chosen">>(4);
  same_gradient([](auto const& a, auto const& i) { return take<"row">(a, i); }, x, ids);
  same_gradient([](auto const& a) { return sort<"row">(a); }, x);
  same_value([](auto const& a) { return argsort<"column">(a); }, x);
  same_value([](auto const& a) { return topk<"column", 2>(a).values; }, x);
  same_value([](auto const& a) { return cumsum<"row">(a); }, x);
  same_value([](auto const& a) { return set<"row">(a, 2, 7.0f); }, x);
}

TEST_CASE("linear algebra on a user-defined device") {
  Float32<"n m"> const a{{4, 1, 0.5f}, {1, 3, -0.2f}, {0.5f, -0.2f, 2}};
  same_value([](auto const& x) { return tenon::linalg::cholesky(x); }, rename<"m -> n">(a));
  same_value([](auto const& x) { return tenon::linalg::solve(x, x); }, a);
}

TEST_CASE("attention on a user-defined device") {
  auto const q = normal<Float32<"batch query head=2 feature=4">>(Key(6), 1, 5);
  auto const k = normal<Float32<"batch key head=2 feature=4">>(Key(7), 1, 5);
  same_gradient(
      [](auto const& a, auto const& b) {
        return internal::attention_of<internal::MultiheadAttentionName, true>(a, b, b);
      },
      q, k);
}

TEST_CASE("random numbers on a user-defined device are those of all devices") {
  auto const bits = []<class D>(D) {
    return elements_of(random_bits<Tensor<std::uint32_t, "n", D>>(Key(8), 101));
  };
  CHECK(bits(Plain()) == bits(Cpu()));
  check_near(elements_of(normal<Float32<"n", Plain>>(Key(8), 101)),
             elements_of(normal<Float32<"n">>(Key(8), 101)));
}
