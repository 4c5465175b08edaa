#include <doctest/doctest.h>

#include <string>

#include "checks.hpp"

namespace edges_test {

using namespace tenon::internal;

using namespace linalg_checks;

namespace {

using Doubles = Batched<double, Cpu>;

template <class X>
constexpr bool has_spec(std::string_view spec) {
  return Unqualified<X>::shape == spec;
}
template <class A, class B>
using Solved = decltype(tenon::linalg::solve(std::declval<A>(), std::declval<B>()));

// The axis names of a matrix are like units: "n m" maps a vector along m to one along n.
static_assert(has_spec<Solved<Float64<"n m">, Float64<"n">>>("m"));
static_assert(has_spec<Solved<Float64<"n m=3">, Float64<"n=3 k">>>("m=3 k"));
static_assert(has_spec<Solved<Float64<"n=3 m">, Float64<"n">>>("m=3"));
static_assert(has_spec<Solved<Float64<"b n n">, Float64<"b n">>>("b n"));
static_assert(has_spec<Solved<Float64<"b n n">, Float64<"n k">>>("b n k"));
static_assert(has_spec<Solved<Float64<"n n">, Float64<"b n k">>>("b n k"));
static_assert(has_spec<Solved<Float64<"3 3 3">, Float64<"3 3">>>("3 3 3"));  // as NumPy: a matrix
static_assert(has_spec<decltype(tenon::linalg::inverse(Float64<"b n m">()))>("b m n"));
static_assert(has_spec<decltype(tenon::linalg::cholesky(Float64<"n=2 2">()))>("n=2 n=2"));
static_assert(has_spec<decltype(tenon::linalg::det(Float64<"b n m">()))>("b"));
static_assert(has_spec<decltype(tenon::linalg::qr(Float64<"row=5 column=3">()).q)>("row=5 3"));
static_assert(has_spec<decltype(tenon::linalg::qr(Float64<"row=5 column=3">()).r)>("3 column=3"));
static_assert(has_spec<decltype(tenon::linalg::svd(Float64<"b m n">()).u)>("b m min(m,n)"));
static_assert(has_spec<decltype(tenon::linalg::svd(Float64<"b m n">()).s)>("b min(m,n)"));
static_assert(has_spec<decltype(tenon::linalg::svd(Float64<"b m n">()).vt)>("b min(m,n) n"));
static_assert(has_spec<decltype(tenon::linalg::eigh(Float64<"b n n">()).values)>("b n"));
static_assert(has_spec<decltype(tenon::linalg::eigh(Float64<"b n n">()).vectors)>("b n n"));

template <class F>
std::string words_of(F const& f) {
  try {
    f();
  } catch (ValueError const& error) {
    return error.what();
  }
  return "nothing thrown";
}

double entry(Doubles const& x) { return x.data()[0]; }

}  // namespace

TEST_CASE("the errors for a singular matrix and for one that is not positive definite") {
  Doubles a = identity<double>(3, 2);
  a(1, 1, 1) = 0;
  CHECK(words_of([&] { tenon::linalg::solve(a, a); }) ==
        "tenon::solve: expected a matrix that has an inverse, got a singular one "
        "(matrix 1 of 3)");
  CHECK(words_of([&] { tenon::linalg::inverse(eval(slice<0>(a, 1, 2))); }) ==
        "tenon::inverse: expected a matrix that has an inverse, got a singular one");
  CHECK(words_of([&] { tenon::linalg::cholesky(a); }) ==
        "tenon::cholesky: expected a positive definite matrix, got another one (matrix 1 of 3)");
  a(0, 0, 1) = a(0, 1, 0) = NAN;
  CHECK_THROWS_AS(tenon::linalg::cholesky(a), ValueError);
  CHECK_THROWS_AS(tenon::linalg::det(Float64<"n m">{{1, 2, 3}}), ShapeError);
  CHECK_THROWS_AS(tenon::linalg::solve(a, some<Doubles>(1, 3, 3, 1)), ShapeError);
}

TEST_CASE("determinants: singular, empty, with intermediate overflow, of a permutation") {
  CHECK(tenon::linalg::det(Float64<"2 2">{{1, 2}, {2, 4}}).item() == 0);
  CHECK(tenon::linalg::det(zeros<Float64<"n n">>(0, 0)).item() == 1);
  CHECK(tenon::linalg::det(Float64<"2 2">{{0, 1}, {1, 0}}).item() == -1);
  Doubles a = identity<double>(1, 4);
  for (int i = 0; i < 4; ++i) a(0, i, i) = i < 2 ? 1e200 : 1e-200;
  CHECK(tenon::linalg::det(a).data()[0] == doctest::Approx(1));
}

TEST_CASE_TEMPLATE(
    "the gradient of a determinant is the cofactor matrix, also for singular matrices", D, Cpu,
    Reference) {
  using M = Batched<double, D>;
  auto const f = [](M const& x) { return sum(tenon::linalg::det(x)); };
  M a = some<M>(4, 2, 3, 3);
  CHECK(derivative_error(f, a) < 1e-8);
  for (int j = 0; j < 3; ++j) a(1, 2, j) = 2 * a(1, 0, j);
  CHECK(derivative_error(f, a) < 1e-8);
}

TEST_CASE("NaN and infinity give NaN in every decomposition") {
  Doubles a = some<Doubles>(1, 1, 3, 3);
  for (double const bad : {double(NAN), double(INFINITY)}) {
    a(0, 1, 2) = bad;
    CHECK(std::isnan(entry(tenon::linalg::qr(a).q)));
    CHECK(std::isnan(tenon::linalg::eigh(a).values.data()[0]));
    CHECK(std::isnan(entry(tenon::linalg::svd(a).u)));
  }
  a(0, 1, 2) = NAN;
  CHECK(std::isnan(tenon::linalg::det(a).data()[0]));
  CHECK(std::isnan(entry(tenon::linalg::solve(a, some<Doubles>(1, 1, 3, 1)))));
}

TEST_CASE(
    "very large and very small matrices have decompositions, and so have those of lower rank") {
  for (double const scale : {1e300, 1e-300, 0.0}) {
    Doubles a = some<Doubles>(1, 1, 4, 3);
    for (std::int64_t i = 0; i < 12; ++i) a.mutable_data()[i] *= scale;
    for (int i = 0; i < 4; ++i) a(0, i, 2) = a(0, i, 0);
    auto const [u, s, vt] = tenon::linalg::svd(a);
    CHECK(apart(times(turned(u), u), identity<double>(1, 3)) < 1e-12);
    CHECK(apart(times(columns_scaled(u, s), vt), a) <= 1e-12 * scale);
    auto const [q, r] = tenon::linalg::qr(a);
    CHECK(apart(times(q, r), a) <= 1e-12 * scale);
  }
}

TEST_CASE("batch axes broadcast, and their gradients are summed") {
  Float64<"n n"> const a{{2, 1}, {1, 3}};
  Float64<"b n 1"> const b{{{1}, {2}}, {{3}, {4}}, {{5}, {6}}};
  auto const f = [&](Float64<"n n"> const& m) { return sum(tenon::linalg::solve(m, b)); };
  auto const x = tenon::linalg::solve(a, b);
  CHECK(2 * x(2, 0, 0) + x(2, 1, 0) == doctest::Approx(5));
  CHECK(derivative_error(f, a) < 1e-8);
}

/// The gradient of the sum of weights times V Lᵏ Vᵀ, which is Aᵏ for symmetric A.
Doubles gradient_of_power(Doubles const& a, Doubles const& weights, int power) {
  return grad([&](Doubles const& x) {
    auto const [w, v] = tenon::linalg::eigh(x);
    auto const row = reshaped<Doubles>(w, {1, 1, w.sizes()[1], 1, 1, 1, 1, 1});
    Doubles const values = tenon::internal::linalg::repeated_row(row, w.sizes()[1]);
    Doubles scaled = v;
    for (int i = 0; i < power; ++i) scaled = scaled * values;
    return total(weights, eval(matmul(scaled, transpose(v))));
  })(a);
}

bool all_nan(Doubles const& x) {
  return std::all_of(x.data(), x.data() + x.size(), [](double e) { return std::isnan(e); });
}

/// A matrix with these singular values on its diagonal.
Doubles diagonal(std::int64_t m, std::int64_t n, std::initializer_list<double> values) {
  auto a = zeros<Doubles>(1, m, n);
  std::int64_t i = 0;
  for (double const value : values) a(0, i, i) = value, ++i;
  return a;
}

TEST_CASE("the gradient through eigenvectors of equal values is NaN") {
  Doubles const weights = some<Doubles>(3, 1, 3, 3);
  for (int const power : {1, 2}) {
    CHECK(all_nan(gradient_of_power(diagonal(3, 3, {1, 1, 1}), weights, power)));
    CHECK(all_nan(gradient_of_power(diagonal(3, 3, {1, 1, 2}), weights, power)));
    CHECK(all_nan(gradient_of_power(diagonal(3, 3, {0, 0, 0}), weights, power)));
  }
  Doubles const near = gradient_of_power(diagonal(3, 3, {1, 1 + 0x1p-20, 2}), weights, 2);
  CHECK(near(0, 0, 1) == doctest::Approx(weights(0, 0, 1) + weights(0, 1, 0)).epsilon(1e-6));
}

TEST_CASE("equal eigenvalues have a gradient where vectors are not used") {
  auto const cubes = [](Doubles const& x) {
    auto const w = tenon::linalg::eigh(x).values;
    return sum(w * w * w);
  };
  CHECK(apart(grad(cubes)(diagonal(3, 3, {1, 1, 1})), diagonal(3, 3, {3, 3, 3})) < 1e-14);
}

/// The gradient of the sum of weights times U S Vᵀ, which is A.
Doubles gradient_of_product(Doubles const& a) {
  return grad([&](Doubles const& x) {
    auto const [u, s, vt] = tenon::linalg::svd(x);
    auto const row = reshaped<Doubles>(s, {1, 1, s.sizes()[1], 1, 1, 1, 1, 1});
    Doubles const values = tenon::internal::linalg::repeated_row(row, u.sizes()[1]);
    return total(eval(matmul(u * values, vt)), some<Doubles>(7, 1, x.sizes()[1], x.sizes()[2]));
  })(a);
}

TEST_CASE("the gradient through singular vectors of equal values or of zero is NaN") {
  CHECK(all_nan(gradient_of_product(diagonal(2, 2, {1, 1}))));
  CHECK(all_nan(gradient_of_product(diagonal(4, 2, {1, 1}))));
  CHECK(all_nan(gradient_of_product(diagonal(3, 3, {2, 0, 0}))));
  CHECK(all_nan(gradient_of_product(diagonal(3, 3, {0, 0, 0}))));
  for (std::int64_t const columns : {3, 4}) {  // the complement of the other vectors has no basis
    Doubles const d = gradient_of_product(diagonal(7 - columns, columns, {2, 1, 0}));
    CHECK(std::any_of(d.data(), d.data() + d.size(), [](double e) { return std::isnan(e); }));
  }
}

TEST_CASE("equal singular values have a gradient where vectors are not used") {
  for (std::int64_t const columns : {3, 4}) {
    Doubles const x = diagonal(7 - columns, columns, {2, 0, 0});
    auto const squares = [](Doubles const& a) { return sum(square(tenon::linalg::svd(a).s)); };
    CHECK(apart(grad(squares)(x), eval(2.0 * x)) < 1e-14);
  }
}

TEST_CASE("the gradient of qr where columns depend on each other is an error") {
  CHECK(
      words_of([] {
        grad([](Doubles const& a) { return sum(tenon::linalg::qr(a).q); })(diagonal(2, 2, {1, 0}));
      }) == "tenon::solve: expected a matrix that has an inverse, got a singular one");
}

TEST_CASE("singular values whose squares underflow have derivatives of their vectors") {
  Doubles const tiny = diagonal(2, 2, {2e-170, 1e-170});
  Doubles const d = grad([](Doubles const& a) {
    auto const [u, s, vt] = tenon::linalg::svd(a);
    return sum(u * some<Doubles>(2, 1, 2, 2)) * 1e-170;
  })(tiny);
  Doubles const scaled = grad([](Doubles const& a) {
    auto const [u, s, vt] = tenon::linalg::svd(a);
    return sum(u * some<Doubles>(2, 1, 2, 2));
  })(diagonal(2, 2, {2, 1}));
  CHECK(apart(d, scaled) < 1e-12);
}

TEST_CASE("inline tensors allocate no memory") {
  Float64<"n=3 n=3"> const a{{4, 1, 0}, {1, 3, 1}, {0, 1, 2}};
  std::int64_t const before = tenon::memory::bytes_in_use() + tenon::memory::system_allocations();
  double const sum =
      tenon::linalg::cholesky(a)(0, 0) + tenon::linalg::solve(a, Float64<"n=3">{1, 2, 3})(0) +
      tenon::linalg::inverse(a)(0, 0) + tenon::linalg::det(a).item() +
      tenon::linalg::qr(a).r(0, 0) + tenon::linalg::eigh(a).values(0) + tenon::linalg::svd(a).s(0);
  CHECK(std::isfinite(sum));
  CHECK(tenon::memory::bytes_in_use() + tenon::memory::system_allocations() == before);
}

TEST_CASE("factors of a matrix of static sizes that is not square") {
  Float64<"n=3 m=2"> const a{{1, 2}, {0, 1}, {2, 0}};
  auto const [q, r] = tenon::linalg::qr(a);
  CHECK(tenon::max(tenon::abs(matmul(q, r) - a)).item() < 1e-15);
  auto const [u, s, vt] = tenon::linalg::svd(a);
  CHECK(tenon::sum(s * s).item() == doctest::Approx(10));
}

}  // namespace edges_test
