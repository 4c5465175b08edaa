// Structs with many fields in all functions of trees.

#include <tenon/tree/wide.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

#include "folder.hpp"

namespace wide_struct_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

using Part = Float32<"n=2">;

struct Hundred {
  Part a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
      c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5,
      e6, e7, e8, e9, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, g0, g1, g2, g3, g4, g5, g6, g7, g8,
      g9, h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, j0, j1,
      j2, j3, j4, j5, j6, j7, j8, j9;
};

struct Most {
  Part a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
      c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5,
      e6, e7, e8, e9, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, g0, g1, g2, g3, g4, g5, g6, g7, g8,
      g9, h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, j0, j1,
      j2, j3, j4, j5, j6, j7, j8, j9, k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, l0, l1, l2, l3, l4,
      l5, l6, l7, l8, l9, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, n0, n1, n2, n3, n4, n5, n6, n7,
      n8, n9, o0, o1, o2, o3, o4, o5, o6, o7, o8, o9, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, q0,
      q1, q2, q3, q4, q5, q6, q7, q8, q9, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, s0, s1, s2, s3,
      s4, s5, s6, s7, s8, s9, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, u0, u1, u2, u3, u4, u5, u6,
      u7, u8, u9, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9,
      x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, z0, z1, z2,
      z3;
  Float32<"in=3 out=2"> weight;
  Frozen<Part> kept;
};

bool same(Part const& a, Part const& b) { return a(0) == b(0) && a(1) == b(1); }

template <class Model>
void check_all(std::int64_t leaves, std::string const& last) {
  Folder const folder;
  auto const model = tenon::init::normal<Model>(Key{1}, 0.5);
  CHECK(tenon::tree::count<tenon::internal::tree::Stored>(model) == leaves);
  save(folder / "model", model);
  CHECK(load_contents(folder / "model").contains(last));
  auto const loaded = load<Model>(folder / "model");
  auto const [value, gradient] = value_and_grad(
      [](Model const& m) { return sum(square(m.a0)) + 3 * sum(m.j9 * m.c4); })(loaded);
  CHECK(value.item() == eval(sum(square(model.a0)) + 3 * sum(model.j9 * model.c4)).item());
  CHECK(same(gradient.a0, model.a0 * 2));
  CHECK(same(gradient.c4, model.j9 * 3));
  CHECK(same(gradient.j8, Part()));
}

}  // namespace

TEST_CASE("a struct of 100 tensors is initialised, saved, loaded and differentiated") {
  check_all<Hundred>(100, "j9");
}

TEST_CASE("a struct of 256 tensors is initialised, saved, loaded and differentiated") {
  check_all<Most>(256, "weight");
}

TEST_CASE("a struct with many fields is updated by an optimiser") {
  auto const model = tenon::init::normal<Hundred>(Key{2}, 0.5);
  auto const [after, state] = SGD{.rate = 1}.step(model, model, SGD{}.init(model));
  CHECK(same(after.j9, Part()));
}

}  // namespace wide_struct_test
