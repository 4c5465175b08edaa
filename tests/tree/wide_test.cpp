#include <tenon/tree/wide.hpp>

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <tenon/tenon.hpp>

namespace wide_test {

using namespace tenon;

namespace {

using Part = Float32<"n=2">;

struct Hundred {
  Part a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
      c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5,
      e6, e7, e8, e9, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, g0, g1, g2, g3, g4, g5, g6, g7, g8,
      g9, h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, j0, j1,
      j2, j3;
  std::optional<Part> maybe;
  std::vector<Part> list;
  std::string const text = "text";
  std::array<Part, 3> row;
  Constant<std::function<int(int)>> function;
  std::unique_ptr<int> owned;
};

/// 256 fields.
struct Most {
  Float32<"n"> a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0,
      c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3,
      e4, e5, e6, e7, e8, e9, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, g0, g1, g2, g3, g4, g5, g6,
      g7, g8, g9, h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9,
      j0, j1, j2, j3, j4, j5, j6, j7, j8, j9, k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, l0, l1, l2,
      l3, l4, l5, l6, l7, l8, l9, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, n0, n1, n2, n3, n4, n5,
      n6, n7, n8, n9, o0, o1, o2, o3, o4, o5, o6, o7, o8, o9, p0, p1, p2, p3, p4, p5, p6, p7, p8,
      p9, q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, s0, s1,
      s2, s3, s4, s5, s6, s7, s8, s9, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, u0, u1, u2, u3, u4,
      u5, u6, u7, u8, u9, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, w0, w1, w2, w3, w4, w5, w6, w7,
      w8, w9, x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, z0,
      z1, z2, z3, z4;
  Frozen<std::vector<Float64<"m=3">>> last;
};

struct TooMany {
  int z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, x0, x1, x2,
      x3, x4, x5, x6, x7, x8, x9, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, v0, v1, v2, v3, v4, v5,
      v6, v7, v8, v9, u0, u1, u2, u3, u4, u5, u6, u7, u8, u9, t0, t1, t2, t3, t4, t5, t6, t7, t8,
      t9, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, q0, q1,
      q2, q3, q4, q5, q6, q7, q8, q9, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, o0, o1, o2, o3, o4,
      o5, o6, o7, o8, o9, n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, m0, m1, m2, m3, m4, m5, m6, m7,
      m8, m9, l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, j0,
      j1, j2, j3, j4, j5, j6, j7, j8, j9, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, h0, h1, h2, h3,
      h4, h5, h6, h7, h8, h9, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, f0, f1, f2, f3, f4, f5, f6,
      f7, f8, f9, e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9,
      c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, a0, a1, a2,
      a3, a4, a5, a6;
};

struct Learned {
  Part a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
      c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5,
      e6, e7, e8, e9, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9;
  std::array<Part, 2> pair;
  std::optional<Part> maybe;
  Hundred const* unused() const { return nullptr; }
};

}  // namespace

TEST_CASE("the tables support structs of up to 256 fields") {
  static_assert(tenon::internal::tree::field_count<Hundred> == 100);
  static_assert(tenon::internal::tree::field_count<Most> == 256);
  static_assert(!tenon::internal::tree::has_too_many_fields<Most>);
  static_assert(tenon::internal::tree::has_too_many_fields<TooMany>);
}

TEST_CASE("many fields have their types, including const, and their addresses") {
  Hundred hundred;
  auto const fields = tenon::internal::tree::fields(hundred);
  static_assert(
      std::is_same_v<decltype(tenon::internal::tree::part_at<96>(fields)), std::string const&>);
  CHECK(&tenon::internal::tree::part_at<0>(fields) == &hundred.a0);
  CHECK(&tenon::internal::tree::part_at<93>(fields) == &hundred.j3);
  CHECK(&tenon::internal::tree::part_at<99>(fields) == &hundred.owned);
  auto const& constant = hundred;
  static_assert(std::is_same_v<decltype(tenon::internal::tree::part_at<99>(
                                   tenon::internal::tree::fields(constant))),
                               std::unique_ptr<int> const&>);
}

TEST_CASE("many fields have their names") {
  static_assert(tenon::internal::tree::field_name<Hundred, 0>.view() == "a0");
  static_assert(tenon::internal::tree::field_name<Hundred, 50>.view() == "f0");
  static_assert(tenon::internal::tree::field_name<Hundred, 98>.view() == "function");
  static_assert(tenon::internal::tree::field_name<Most, 254>.view() == "z4");
  static_assert(tenon::internal::tree::field_name<Most, 255>.view() == "last");
}

TEST_CASE("a struct with many fields is walked, mapped and zipped") {
  Learned tree;
  tree.maybe = Part({3, 4});
  CHECK(tenon::tree::count(tree) == 63);
  auto const doubled = tenon::tree::map(
      [](tenon::internal::tree::Path const& path, auto const& leaf) {
        return path.text() == "f9" ? Part({1, 2}) : Part(leaf * 2);
      },
      tree);
  CHECK(doubled.f9(1) == 2);
  CHECK((*doubled.maybe)(0) == 6);
  int equal = 0;
  tenon::tree::zip([&](auto const& a, auto const& b) { equal += a(0) == b(0); }, tree, doubled);
  CHECK(equal == 61);
  CHECK(tenon::tree::paths(tree)[61] == "pair.1");
}

TEST_CASE("sizes of many fields are compared") {
  Most most;
  tenon::internal::tree::SizeCheck check("check");
  CHECK_NOTHROW(check(most));
  most.z4 = ones<Float32<"n">>(3);
  CHECK_THROWS_AS(check(most), ShapeError);
}

}  // namespace wide_test
