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

struct Fifty {
  Part a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
      c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5,
      e6, e7, e8, e9;
};

struct Most {
  Part a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
      c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5,
      e6, e7, e8, e9, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, g0, g1;
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
      [](Model const& m) { return sum(square(m.a0)) + 3 * sum(m.e9 * m.c4); })(loaded);
  CHECK(value.item() == eval(sum(square(model.a0)) + 3 * sum(model.e9 * model.c4)).item());
  CHECK(same(gradient.a0, model.a0 * 2));
  CHECK(same(gradient.c4, model.e9 * 3));
  CHECK(same(gradient.e8, Part()));
}

}  // namespace

TEST_CASE("a struct of 50 tensors is initialised, saved, loaded and differentiated") {
  check_all<Fifty>(50, "e9");
}

TEST_CASE("a struct of 64 tensors is initialised, saved, loaded and differentiated") {
  check_all<Most>(64, "weight");
}

TEST_CASE("a struct with many fields is updated by an optimiser") {
  auto const model = tenon::init::normal<Fifty>(Key{2}, 0.5);
  auto const [after, state] = SGD{.rate = 1}.step(model, model, SGD{}.init(model));
  CHECK(same(after.e9, Part()));
}

}  // namespace wide_struct_test
