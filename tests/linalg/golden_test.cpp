// Functions of matrices against values and gradients of JAX, see golden/make.py.

#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <string>

#include <tenon/linalg.hpp>
#include "../nn/cases.hpp"

namespace linalg_golden_test {

using namespace tenon;
using cases::Case;
using cases::Check;

namespace {

using Batch = Float64<"_ _ _">;
using Matrix = Float64<"_ _">;
using Vector = Float64<"_">;

double constexpr inf = std::numeric_limits<double>::infinity();

template <class F>
Check batch(F const& f) {
  return cases::of<Batch>(
      {"a"}, [f](Case const&, auto const& a) { return f(a); }, 1e-11);
}
template <class F>
Check pair(F const& f) {
  return cases::of<Matrix, Matrix>(
      {"a", "b"}, [f](Case const&, auto const& a, auto const& b) { return f(a, b); }, 1e-11);
}
template <class Order>
Check norm_of(Order order) {
  return batch([order](auto const& a) { return linalg::matrix_norm(a, order); });
}
Check vector_norm_of(double order) {
  return cases::of<Matrix>(
      {"a"}, [order](Case const&, auto const& a) { return linalg::vector_norm<1>(a, order); });
}
Check triangular(bool lower, bool unit) {
  return pair([lower, unit](auto const& a, auto const& b) {
    return linalg::solve_triangular(a, b, {.lower = lower, .unit_diagonal = unit});
  });
}

std::map<std::string, Check> const checks{
    {"lu_p", [](Case const& c) { cases::near(c, "value", linalg::lu(c.tensor<Batch>("a")).p); }},
    {"lu_l", batch([](auto const& a) { return linalg::lu(a).l; })},
    {"lu_u", batch([](auto const& a) { return linalg::lu(a).u; })},
    {"pinv", batch([](auto const& a) { return linalg::pinv(a); })},
    {"cond", batch([](auto const& a) { return linalg::cond(a); })},
    {"expm", batch([](auto const& a) { return linalg::expm(a); })},
    {"slogdet_sign",
     [](Case const& c) { cases::near(c, "value", linalg::slogdet(c.tensor<Batch>("a")).sign); }},
    {"slogdet_log", batch([](auto const& a) { return linalg::slogdet(a).logabsdet; })},
    {"matrix_rank",
     [](Case const& c) {
       auto const ranks = linalg::matrix_rank(c.tensor<Batch>("a"));
       cases::near(c, "value", Vector(to<double>(ranks)));
     }},
    {"matrix_norm_fro", norm_of("fro")},
    {"matrix_norm_nuc", norm_of("nuc")},
    {"matrix_norm_1", norm_of(1.0)},
    {"matrix_norm_-1", norm_of(-1.0)},
    {"matrix_norm_2", norm_of(2.0)},
    {"matrix_norm_-2", norm_of(-2.0)},
    {"matrix_norm_inf", norm_of(inf)},
    {"matrix_norm_-inf", norm_of(-inf)},
    {"vector_norm_0", vector_norm_of(0)},
    {"vector_norm_1", vector_norm_of(1)},
    {"vector_norm_2", vector_norm_of(2)},
    {"vector_norm_3", vector_norm_of(3)},
    {"vector_norm_0.5", vector_norm_of(0.5)},
    {"vector_norm_-1", vector_norm_of(-1)},
    {"vector_norm_inf", vector_norm_of(inf)},
    {"vector_norm_-inf", vector_norm_of(-inf)},
    {"lstsq", pair([](auto const& a, auto const& b) { return linalg::lstsq(a, b); })},
    {"triangular_lower", triangular(true, false)},
    {"triangular_lower_unit", triangular(true, true)},
    {"triangular_upper", triangular(false, false)},
    {"triangular_upper_unit", triangular(false, true)},
    {"cho_solve", pair([](auto const& a, auto const& b) { return linalg::cho_solve(a, b); })},
    {"kron", pair([](auto const& a, auto const& b) { return linalg::kron(a, b); })},
    {"cross", pair([](Float64<"_ _"> const& a, Float64<"_ _"> const& b) {
       return linalg::cross<1>(as<"_ 3">(a), as<"_ 3">(b));
     })},
    {"toeplitz",
     cases::of<Vector, Vector>({"a", "b"}, [](Case const&, auto const& c,
                                              auto const& r) { return linalg::toeplitz(c, r); })},
    {"vander",
     cases::of<Vector>({"a"}, [](Case const&, auto const& a) { return linalg::vander(a, 4); })},
};

}  // namespace

TEST_CASE("functions of matrices have the values and gradients of JAX") {
  for (Case const& c : cases::read("../../linalg/golden/matrices.txt")) {
    CAPTURE(c.name);
    checks.at(c.name)(c);
  }
}

TEST_CASE("columns of null_space are a basis of the kernel, those of orth one of the values") {
  Float64<"m=2 n=3"> const wide{{1, 2, 3}, {2, 4, 6}};
  auto const kernel = linalg::null_space(wide);
  CHECK(shape_of<decltype(kernel)> == "n=3 _");
  CHECK(kernel.sizes()[1] == 2);
  CHECK(allclose(matmul(wide, kernel), zeros<Float64<"m=2 _">>(2), {0, 1e-14}));
  CHECK(allclose(matmul(transpose(kernel), kernel), eye<Float64<"2 2">>(), {0, 1e-14}));
  auto const values = linalg::orth(wide);
  CHECK(shape_of<decltype(values)> == "m=2 _");
  CHECK(values.sizes()[1] == 1);
  CHECK(allclose(matmul(values, matmul(transpose(values), wide)), wide, {0, 1e-13}));
  CHECK(linalg::null_space(Float64<"2 2">{{1, 0}, {0, 1}}).size() == 0);
  CHECK(linalg::orth(zeros<Float64<"3 2">>()).size() == 0);
}

TEST_CASE("axes of functions of matrices") {
  Float64<"b=2 m=4 n=3"> const a = cases::weights_like(zeros<Float64<"b=2 m=4 n=3">>());
  Float64<"m=4"> const b{1, 2, 3, 4};
  CHECK(shape_of<decltype(linalg::pinv(a))> == "b=2 n=3 m=4");
  CHECK(shape_of<decltype(linalg::lstsq(a, b))> == "b=2 n=3");
  CHECK(shape_of<decltype(linalg::lu(a).p)> == "b=2 m=4 m=4");
  CHECK(shape_of<decltype(linalg::lu(a).l)> == "b=2 m=4 3");
  CHECK(shape_of<decltype(linalg::matrix_rank(a))> == "b=2");
  CHECK(shape_of<decltype(linalg::kron(Float64<"i=2 j=3">(), Float64<"3 k=2">()))> == "6 6");
  CHECK(shape_of<decltype(linalg::toeplitz(b))> == "m=4 m=4");
  CHECK(shape_of<decltype(linalg::vector_norm<"m">(a, 1, keep))> == "b=2 m=1 n=3");
  CHECK(shape_of<decltype(linalg::cond(a))> == "b=2");
}

TEST_CASE("lstsq names itself where run-time rows differ") {
  Float64<"m n"> const a = ones<Float64<"m n">>(5, 2);
  CHECK_THROWS_WITH_AS(linalg::lstsq(a, ones<Float64<"m">>(4)),
                       doctest::Contains("tenon::lstsq: 'm': expected 5, got 4"), ShapeError);
}

TEST_CASE("empty, singular and not finite matrices") {
  Float64<"n n"> const empty = zeros<Float64<"n n">>(0, 0), singular{{1, 2}, {2, 4}};
  CHECK(linalg::expm(empty).size() == 0);
  CHECK(linalg::pinv(empty).size() == 0);
  CHECK(linalg::lu(empty).l.size() == 0);
  CHECK(linalg::slogdet(empty).sign.item() == 1);
  CHECK(linalg::slogdet(empty).logabsdet.item() == 0);
  CHECK(linalg::matrix_rank(empty).item() == 0);
  CHECK(linalg::slogdet(singular).sign.item() == 0);
  CHECK(linalg::slogdet(singular).logabsdet.item() == -inf);
  auto const [p, l, u] = linalg::lu(singular);
  CHECK(to_string(u) == "[[2. 4.]\n [0. 0.]]");
  CHECK(allclose(matmul(p, matmul(l, u)), singular));
  Float64<"n n"> const bad{{1, NAN}, {2, 4}};
  CHECK(std::isnan(linalg::expm(bad)(0, 0)));
  CHECK(std::isnan(linalg::slogdet(bad).logabsdet.item()));
  CHECK(std::isnan(linalg::pinv(bad)(0, 0)));
  CHECK(linalg::expm(Float64<"1 1">{{2.0}})(0, 0) == doctest::Approx(std::exp(2.0)));
  CHECK_THROWS_WITH_AS(
      linalg::solve_triangular(zeros<Float64<"2 2">>(), Float64<"2">{1, 2}),
      "tenon::solve_triangular: expected a diagonal without zeros, got a singular matrix",
      ValueError);
  CHECK_THROWS_WITH_AS(linalg::matrix_norm(singular, 3.0),
                       doctest::Contains("tenon::matrix_norm: 'ord'"), ValueError);
}

TEST_CASE("functions of matrices of float") {
  Float32<"n=3 n=3"> const a{{1, 2, 0}, {0, 3, 1}, {2, 0, -1}};
  auto const same = to<double>(a);
  CHECK(allclose(to<double>(linalg::expm(a)), linalg::expm(same), {2e-6, 0}));
  CHECK(allclose(to<double>(linalg::pinv(a)), linalg::inverse(same), {0, 1e-5}));
}

}  // namespace linalg_golden_test
