#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/autodiff/scan.hpp>
#include <tenon/tenon.hpp>

namespace scan_test {

using namespace tenon;

namespace {

struct State {
  Float64<"batch hidden=3"> h, c;
};

/// A cell of an LSTM.
struct Cell {
  Float64<"input=2 gate=12"> of_input;
  Float64<"hidden=3 gate=12"> of_hidden;
  Float64<"gate=12"> bias;

  State operator()(Float64<"batch input=2"> const& x, State const& s) const {
    auto const gates = eval(matmul(x, of_input) + matmul(s.h, of_hidden) + bias);
    auto const [in, forget, cell, out] = split<"gate", 4>(gates);
    auto const part = [](auto const& gate) { return rename<"gate -> hidden">(gate); };
    State next;
    next.c = sigmoid(part(forget)) * s.c + sigmoid(part(in)) * tanh(part(cell));
    next.h = sigmoid(part(out)) * tanh(next.c);
    return next;
  }
};

auto const step = [](State const& s, Float64<"batch input=2"> const& x, Cell const& cell) {
  State next = cell(x, s);
  return std::pair(next, next.h);
};

struct Problem {
  Cell cell;
  State start;
  Float64<"batch time input=2"> x;
};

Problem problem(int steps) {
  return {
      init::normal<Cell>(Key(1), 0.5),
      {normal<Float64<"batch hidden=3">>(Key(2), 2), normal<Float64<"batch hidden=3">>(Key(3), 2)},
      normal<Float64<"batch time input=2">>(Key(4), 2, steps)};
}

bool same(auto const& a, auto const& b) { return all(a == b).item(); }

/// A loss of the last state and of all outputs, by a scan and by a loop of statements.
Float64<""> by_scan(Problem const& p) {
  auto const [last, all] = scan<"time">(step, p.start, p.x, p.cell);
  auto const weight = 1.0 + 0.1 * iota<Float64<"time">>(static_cast<int>(size<"time">(all)));
  return sum(square(last.c)) + sum(sum<"batch hidden">(square(all)) * weight);
}
Float64<""> by_loop(Problem const& p) {
  State s = p.start;
  Float64<""> loss = 0;
  for (int t = 0; t < size<"time">(p.x); ++t) {
    s = p.cell(eval(take<"time">(p.x, t)), s);
    loss = loss + sum(square(s.h)) * (1.0 + 0.1 * t);
  }
  return sum(square(s.c)) + loss;
}

void check_close(Problem const& a, Problem const& b, double tolerance) {
  tree::zip(
      [&](auto const& x, auto const& y) {
        CHECK(allclose(x, y, {.relative = tolerance, .absolute = tolerance}));
      },
      a, b);
}

}  // namespace

TEST_CASE("a scan carries a state along an axis, and collects what each step returns") {
  Problem const p = problem(5);
  auto const [last, all] = scan<"time">(step, p.start, p.x, p.cell);
  static_assert(shape_of<decltype(all)> == "time batch hidden=3");
  State s = p.start;
  for (int t = 0; t < 5; ++t) {
    s = p.cell(eval(take<"time">(p.x, t)), s);
    CHECK(same(take<"time">(all, t), s.h));
  }
  CHECK(same(last.c, s.c));
}

TEST_CASE("the gradient of a scan is that of a loop of its steps") {
  for (int steps : {1, 2, 7}) {
    Problem const p = problem(steps);
    auto const [loss, got] = value_and_grad(by_scan)(p);
    auto const [expected_loss, expected] = value_and_grad(by_loop)(p);
    CHECK(loss.item() == doctest::Approx(expected_loss.item()));
    check_close(got, expected, 1e-12);
  }
}

TEST_CASE("derivatives of derivatives go through a scan") {
  Problem const p = problem(3), direction = problem(3);
  check_close(hvp(by_scan, p, direction), hvp(by_loop, p, direction), 1e-10);
  auto const [value, tangent] = jvp(by_scan, p, direction);
  CHECK(tangent.item() == doctest::Approx(jvp(by_loop, p, direction).second.item()));
}

TEST_CASE("constants have no gradient, and parts that a loss does not use have a zero one") {
  Problem const p = problem(4);
  auto const last_only = [&](State const& start) {
    return sum(scan<"time">(step, start, p.x, p.cell).first.h);
  };
  auto const by_hand = [&](State s) -> Float64<""> {
    for (int t = 0; t < 4; ++t) s = p.cell(eval(take<"time">(p.x, t)), s);
    return sum(s.h);
  };
  State const got = grad(last_only)(p.start), expected = grad(by_hand)(p.start);
  CHECK(allclose(got.c, expected.c, {.relative = 1e-12, .absolute = 0}));
  auto const unused = [&](Problem const& q) {
    (void)scan<"time">(step, q.start, q.x, q.cell);
    return sum(q.start.h);
  };
  CHECK(same(grad(unused)(p).cell.bias, zeros_like(p.cell.bias)));
}

TEST_CASE("several sequences, a number of steps, and steps without an output") {
  Float64<"time=4 n"> const a{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  Float64<"n time=4"> const b = transpose<"n time">(a);
  auto const add = [](Float64<"n"> const& carry, auto const& x) {
    Float64<"n"> const next = carry + x.first * x.second[0];
    return std::pair(next, std::tuple(next, x.second));
  };
  auto const sequences = std::pair(b, std::array{a, a});
  auto const [last, outputs] = scan<"time">(add, Float64<"n">{0, 0}, sequences);
  static_assert(shape_of<decltype(std::get<0>(outputs))> == "time=4 n");
  CHECK(same(last, Float64<"n">{84, 120}));
  CHECK(same(std::get<1>(outputs)[1], a));

  auto const powers = [](Float64<""> const& x, std::int64_t i) {
    return std::pair(Float64<"">(x * 2.0), x + static_cast<double>(i));
  };
  auto const [eighth, all] = scan<"step">(powers, Float64<"">(1), 8);
  static_assert(shape_of<decltype(all)> == "step");
  CHECK(eighth.item() == 256);
  CHECK(all(7) == 135);

  auto const halve = [](Float64<"n"> const& x, int) { return x * 0.5; };
  CHECK(same(scan<"step">(halve, Float64<"n">{8, 4}, 2), Float64<"n">{2, 1}));
  auto const loss = [&](Float64<"n"> const& x) { return sum(scan<"step">(halve, x, 3)); };
  CHECK(same(grad(loss)(Float64<"n">{8, 4}), Float64<"n">{0.125, 0.125}));
}

TEST_CASE("no steps") {
  Problem const p = problem(0);
  auto const [last, all] = scan<"time">(step, p.start, p.x, p.cell);
  CHECK(same(last.h, p.start.h));
  CHECK(all.sizes()[0] == 0);
  CHECK(all.sizes()[1] == 2);
  check_close(grad(by_scan)(p), grad(by_loop)(p), 1e-12);
}

TEST_CASE("16-bit parameters accumulate their gradient in float") {
  using Parameter = BFloat16<"">;
  auto const loss = [](Parameter const& w) {
    auto const count = [](Float32<""> const& s, int, Parameter const& v) -> Float32<""> {
      return s + to<float>(v);
    };
    return scan<"step">(count, Float32<"">(0), 1000, w);
  };
  CHECK(static_cast<float>(grad(loss)(Parameter(bfloat16(1.0f))).item()) == 1000);
}

TEST_CASE("errors of a scan") {
  Float64<"time n"> const a = ones<Float64<"time n">>(3, 2), b = ones<Float64<"time n">>(4, 2);
  auto const first = [](Float64<"n"> const& s, auto const&) { return s; };
  CHECK_THROWS_WITH_AS(scan<"time">(first, Float64<"n">{1, 2}, std::pair(a, b)),
                       "tenon::scan: 'time': expected 3 steps, got 4", ShapeError);
  auto const captures = [&](Float64<"n"> const& x) {
    return sum(scan<"step">([&](Float64<"n"> const& s, int) { return s * x; }, x, 2));
  };
  CHECK_THROWS_WITH_AS(grad(captures)(Float64<"n">{1, 2}),
                       "tenon::value_and_grad: a recorded tensor is used outside of its recording: "
                       "captured by a custom_vjp or a checkpoint: pass it as an argument",
                       Error);
}

}  // namespace scan_test
