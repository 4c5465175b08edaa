// The backends that CONTRIBUTING.md adds: one to the library, in a header that compiles alone, and
// one to a project of a user's own.

#include <tenon/backend/plain.hpp>

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

using namespace tenon;

#include "own/counting.hpp"

namespace {

using Matrix = Float32<"row column">;
Matrix numbers(std::uint64_t seed) { return normal<Matrix>(Key(seed), 5, 6); }

/// A function gives on the device what it gives on the processor.
template <class D, class F>
void same(F const& f, Matrix const& x) {
  auto const got = to<Cpu>(eval(f(to<D>(x)))), expected = eval(f(x));
  CHECK(allclose(got, expected));
}

/// And so does the gradient of its elements.
template <class D, class F>
void same_with_gradient(F const& f) {
  same<D>(f, numbers(1));
  same<D>([&](auto const& x) { return grad([&](auto const& v) { return sum(square(f(v))); })(x); },
          numbers(1));
}

}  // namespace

TEST_CASE_TEMPLATE("sums, products and sorts run on an added device, with their gradients", D,
                   Plain, Counting) {
  same_with_gradient<D>([](auto const& x) { return sum<"row">(exp(x)); });
  same_with_gradient<D>([](auto const& x) { return matmul(x, transpose(x)); });
  same_with_gradient<D>([](auto const& x) { return sort<"row">(x); });
}

TEST_CASE("a verb of an added backend takes the place of the default") {
  CountingBackend::products = 0;
  auto const x = ones<Float32<"row column", Counting>>(5, 6);
  CHECK(eval(matmul(x, transpose(x)))(1, 2) == 6);
  CHECK(CountingBackend::products == 1);
}
