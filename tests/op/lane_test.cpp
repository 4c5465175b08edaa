#include "every_op.hpp"

using namespace tenon;
using namespace tenon::internal;

namespace {

template <class T>
void check_lanes(auto list) {
  op::for_each(list, []<class Op>() {
    if constexpr (
        requires { Op::f(T{}); } || requires { Op::f(T{}, T{}); }) {
      expect_none(checks::lane_mistakes<Op, T>());
    }
  });
}

/// A deliberate mistake: the last lane is one too large.
struct WrongLane {
  static constexpr std::string_view name = "wrong lane";
  template <class V>
  static V f(V x) {
    if constexpr (tenon::internal::intrinsics::Scalar<V>) {
      return x;
    } else {
      tenon::internal::intrinsics::scalar_of<V> lane[lane_count];
      x.store(lane);
      lane[lane_count - 1] += 1;
      return V::load(lane);
    }
  }
};

}  // namespace

TEST_CASE("results of float are the same in every lane and in every tail") {
  check_lanes<float>(op::Unary{});
  check_lanes<float>(op::Binary{});
  check_lanes<float>(op::Comparisons{});
}

TEST_CASE("results of double are the same in every lane and in every tail") {
  check_lanes<double>(op::Unary{});
  check_lanes<double>(op::Binary{});
  check_lanes<double>(op::Comparisons{});
}

TEST_CASE_TEMPLATE("results of integers are those of the scalar op in every lane and in every tail",
                   T, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                   std::uint16_t, std::uint32_t, std::uint64_t) {
  check_lanes<T>(op::List<op::Neg, op::Abs, op::Square, op::Relu>{});
  check_lanes<T>(op::List<op::Add, op::Sub, op::Mul>{});
  check_lanes<T>(op::Comparisons{});
  check_lanes<T>(op::IntegerUnary{});
  check_lanes<T>(op::IntegerBinary{});
}

TEST_CASE("a deliberately wrong lane is detected") {
  CHECK(!checks::lane_mistakes<WrongLane, float>().empty());
  CHECK(!checks::lane_mistakes<WrongLane, double>().empty());
}

TEST_CASE("masks combine and select in every lane") {
  bool a[lane_count], b[lane_count];
  float x[lane_count], y[lane_count];
  for (int i = 0; i < lane_count; ++i) {
    a[i] = i % 3 == 1;
    b[i] = i % 2 == 1;
    x[i] = static_cast<float>(i);
    y[i] = static_cast<float>(-i) - 1.0f;
  }
  auto const ma = Lanes<bool>::load(a), mb = Lanes<bool>::load(b);
  auto const chosen = op::Where::f(ma, Lanes<float>::load(x), Lanes<float>::load(y));
  for (int i = 0; i < lane_count; ++i) {
    CHECK(op::And::f(ma, mb).lane(i) == op::And::f(a[i], b[i]));
    CHECK(op::Or::f(ma, mb).lane(i) == op::Or::f(a[i], b[i]));
    CHECK(op::Not::f(ma).lane(i) == op::Not::f(a[i]));
    CHECK(chosen.lane(i) == op::Where::f(a[i], x[i], y[i]));
  }
}
