#include <tenon/autodiff/higher_order.hpp>
#include <tenon/nn.hpp>
#include <tenon/testing.hpp>

#include "cases.hpp"

namespace activations_test {

using namespace tenon;
using cases::Case;
using cases::of;

namespace {

using Row = Float64<"n">;
using Rows = Float64<"batch n=4">;

std::map<std::string, cases::Check> const checks{
    {"leaky_relu",
     of<Row>({"x"}, [](Case const& c,
                       auto const& x) { return leaky_relu(x, c.option("negative_slope", 0.01)); })},
    {"elu",
     of<Row>({"x"}, [](Case const& c, auto const& x) { return elu(x, c.option("alpha", 1)); })},
    {"celu",
     of<Row>({"x"}, [](Case const& c, auto const& x) { return celu(x, c.option("alpha", 1)); })},
    {"selu", of<Row>({"x"}, [](Case const&, auto const& x) { return selu(x); })},
    {"relu6", of<Row>({"x"}, [](Case const&, auto const& x) { return relu6(x); })},
    {"hardtanh", of<Row>({"x"},
                         [](Case const& c, auto const& x) {
                           return hardtanh(x, c.option("min_val", -1), c.option("max_val", 1));
                         })},
    {"hardsigmoid", of<Row>({"x"}, [](Case const&, auto const& x) { return hardsigmoid(x); })},
    {"hardswish", of<Row>({"x"}, [](Case const&, auto const& x) { return hardswish(x); })},
    {"mish", of<Row>({"x"}, [](Case const&, auto const& x) { return mish(x); })},
    {"hardshrink",
     of<Row>({"x"},
             [](Case const& c, auto const& x) { return hardshrink(x, c.option("lambd", 0.5)); })},
    {"softshrink",
     of<Row>({"x"},
             [](Case const& c, auto const& x) { return softshrink(x, c.option("lambd", 0.5)); })},
    {"tanhshrink", of<Row>({"x"}, [](Case const&, auto const& x) { return tanhshrink(x); })},
    {"threshold", of<Row>({"x"}, [](Case const&, auto const& x) { return threshold(x, 0.5, -7); })},
    {"softsign", of<Row>({"x"}, [](Case const&, auto const& x) { return softsign(x); })},
    {"logsigmoid", of<Row>({"x"}, [](Case const&, auto const& x) { return logsigmoid(x); })},
    {"prelu", of<Rows, Float64<"n=4">>({"x", "weight"}, [](Case const&, auto const& x,
                                                           auto const& w) { return prelu(x, w); })},
    {"glu", of<Rows>({"x"}, [](Case const&, auto const& x) { return glu<"n">(x); })},
    {"swiglu", of<Rows>({"x"}, [](Case const&, auto const& x) { return swiglu<"n">(x); })},
    {"softmin", of<Rows>({"x"}, [](Case const&, auto const& x) { return softmin<"n">(x); })},
};

}  // namespace

TEST_CASE("activations and their gradients are those of PyTorch") {
  cases::run("activations.txt", checks);
}

/// Compares the formula of an op for graphs with its values at -60, -59.75, …
template <class Op, class... P>
void formula_agrees(P... parameters) {
  for (double x = -60; x < 60; x += 0.25) {
    CAPTURE(x);
    CHECK(Op::symbolic(x, parameters...) ==
          doctest::Approx(Op::f(x, parameters...)).epsilon(1e-14).scale(1e-9));
  }
}

TEST_CASE("the formulas of activations for graphs have their values") {
  formula_agrees<op::LeakyRelu>(-0.5);
  formula_agrees<op::Elu>(1.5, 0.25);
  formula_agrees<op::HardTanh>(-3.0, 2.5);
  formula_agrees<op::HardSwish>();
  formula_agrees<op::Mish>();
  formula_agrees<op::SmoothL1>(2.0);
  for (double p = 0; p <= 1; p += 0.125)
    CHECK(op::BinaryCrossEntropy::symbolic(p, 0.25) == op::BinaryCrossEntropy::f(p, 0.25));
}

TEST_CASE("second derivatives of activations by their operations") {
  Float64<"n=4"> const x{-2, -0.3, 0.4, 2.5};
  auto const second = [&](auto const& f) {
    auto const slope = [&](auto const& at) {
      return sum(square(grad([&](auto const& y) { return sum(f(y)); })(at)));
    };
    CHECK_GRADIENT(slope, x);
  };
  second([](auto const& y) { return mish(y); });
  second([](auto const& y) { return elu(y, 1.5); });
  second([](auto const& y) { return huber_loss<op::none>(y, 0 * y); });
}

TEST_CASE("activations of 16-bit numbers and of another device") {
  CHECK(float(elu(Float16<"n=2">{-1, 2})(1)) == 2);
  CHECK(float(leaky_relu(BFloat16<"n=2">{-1, 2}, 0.5)(0)) == -0.5f);
  CHECK(relu6(Float32<"n=2", Reference>{-1, 7})(1) == 6);
  CHECK(mish(Float32<"n=2", Reference>{1, 7})(0) == doctest::Approx(0.865098));
}

TEST_CASE("the slopes of rrelu are uniform within their bounds, by key") {
  auto const x = full<Float32<"n">>(-1, 10000);
  auto const y = eval(-rrelu(Key(1), x, {.lower = 0.2, .upper = 0.6}));
  CHECK(min(y).item() >= 0.2f);
  CHECK(max(y).item() < 0.6f);
  CHECK(mean(y).item() == doctest::Approx(0.4).epsilon(0.01));
  CHECK(all(rrelu(Key(1), x) == rrelu(Key(1), x)).item());
  CHECK(!all(rrelu(Key(1), x) == rrelu(Key(2), x)).item());
  CHECK(all(rrelu(Key(1), -x) == 1).item());
  auto const slope = grad([](auto const& at) { return sum(rrelu(Key(1), at)); })(x);
  CHECK(all(slope == -rrelu(Key(1), x)).item());
}

TEST_CASE("gumbel_softmax draws by the softmax of the logits") {
  Float32<"n=3"> const logits{0, 1, 2};
  auto const many = eval(expand<"draw=20000 n=3">(logits));
  auto const hard = gumbel_softmax<"n">(Key(1), many, {.hard = true});
  CHECK(all(abs(sum<"n">(hard) - 1) < 1e-6).item());
  CHECK(all(abs(max<"n">(hard) - 1) < 1e-6).item());
  CHECK(allclose(mean<"draw">(hard), softmax<"n">(logits), {.absolute = 0.01}));
  auto const soft = gumbel_softmax<"n">(Key(1), many, {.tau = 0.5});
  CHECK(all(argmax<"n">(soft) == argmax<"n">(hard)).item());
  CHECK_THROWS_WITH_AS(gumbel_softmax<"n">(Key(1), logits, {.tau = 0}),
                       "tenon::gumbel_softmax: 'tau': expected a number above 0, got 0.000000",
                       ValueError);
}

TEST_CASE("the gradient of hard gumbel_softmax is that of the soft one") {
  auto const logits = normal<Float64<"batch n=3">>(Key(1), 4);
  auto const of = [&](bool hard) {
    return grad([&](auto const& x) {
      return sum(square(iota<Float64<"n=3">>()) *
                 gumbel_softmax<"n">(Key(2), x, {.tau = 2, .hard = hard}));
    })(logits);
  };
  CHECK(allclose(of(true), of(false), {.relative = 1e-14, .absolute = 1e-14}));
}

}  // namespace activations_test
