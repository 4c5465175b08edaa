#include "maps.hpp"

namespace onnx_cases {

namespace {

template <class T>
void save_all() {
  using Ones = op::Joined<op::Unary, op::IntegerUnary>;
  op::for_each(Ones(), []<class Op>() { save_unary<Op, T>(); });
  using Twos = op::Joined<op::Binary, op::Comparisons, op::IntegerBinary>;
  op::for_each(Twos(), []<class Op>() { save_binary<Op, T>(); });
}

struct Mixed {
  UInt64<"n"> x;
  Int64<"n"> y;
};
struct Orders {
  Mask<"n"> less, greater, less_equal, greater_equal, equal, not_equal, turned, turned_equal;
};
struct IntegerExtremes {
  UInt64<""> max, min;
  Int32<""> argmax, argmin;
  Int32<"n"> argsort;
};

}  // namespace

TEST_CASE("onnx::save: every op of int8 and uint64") {
  save_all<std::int8_t>(), save_all<std::uint64_t>();
}
TEST_CASE("onnx::save: every op of int32 and uint8") {
  save_all<std::int32_t>(), save_all<std::uint8_t>();
}
TEST_CASE("onnx::save: every op of int64 and uint32") {
  save_all<std::int64_t>(), save_all<std::uint32_t>();
}
TEST_CASE("onnx::save: every op of int16 and uint16") {
  save_all<std::int16_t>(), save_all<std::uint16_t>();
}
TEST_CASE("onnx::save: uint64 beside int64, at the edges of both") {
  auto const f = [](UInt64<"n"> const& x, Int64<"n"> const& y) {
    return Orders{x<y, x> y, x <= y, x >= y, x == y, x != y, y < x, y == x};
  };
  std::int64_t const n = edges<std::int64_t>().size();
  save_case("uint64_beside_int64", f, Mixed{pairs<std::uint64_t>().x, pairs<std::int64_t>().y},
            Mixed{full<UInt64<"n">>(std::uint64_t{1} << 63, n), edges<std::int64_t>()});
}
TEST_CASE("onnx::save: extremes of uint64 at its edges") {
  auto const f = [](UInt64<"n"> const& x) {
    return IntegerExtremes{max(x), min(x), argmax(x), argmin(x), argsort<"n">(x)};
  };
  std::uint64_t const half = std::uint64_t{1} << 63;
  using X = UInt64<"n">;
  save_case("extremes_of_uint64", f, UnaryInputs<std::uint64_t>{X{1, half, half - 1, ~0ull, 0}},
            UnaryInputs<std::uint64_t>{edges<std::uint64_t>()},
            UnaryInputs<std::uint64_t>{X{half + 1, half}}, UnaryInputs<std::uint64_t>{X{2, 1}});
}
TEST_CASE("onnx::save: casts of integers") { save_casts<std::int64_t>(); }
TEST_CASE("onnx::save: every op of masks") {
  op::for_each(op::MaskUnary(), []<class Op>() { save_unary<Op, bool>(); });
  op::for_each(op::MaskBinary(), []<class Op>() { save_binary<Op, bool>(); });
}

}  // namespace onnx_cases
