#include "record.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace record_test {

using namespace tenon;

namespace {

template <class E>
std::uint64_t hash(E const& x) {
  bits::Hash hash;
  bits::add_tensor(hash, x);
  return hash.value();
}

}  // namespace

TEST_CASE("the hash is FNV-1a") {
  bits::Hash hash;
  CHECK(hash.value() == 0xcbf29ce484222325u);
  hash.add("foobar", 6);
  CHECK(hash.value() == 0x85944171f73967e8u);  // the table of Fowler, Noll and Vo
}

TEST_CASE("one bit of one element changes the hash, and so does the sign of zero") {
  Float32<"3"> const x{1, 2, 0};
  CHECK(hash(x) == hash(Float32<"3">{1, 2, 0}));
  CHECK(hash(x) != hash(Float32<"3">{1, std::nextafter(2.0f, 3.0f), 0}));
  CHECK(hash(x) != hash(Float32<"3">{1, 2, -0.0f}));
}

TEST_CASE("all NaNs have one hash") {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(hash(Float32<"1">{nan}) == hash(Float32<"1">{-nan}));
  CHECK(hash(Float16<"1">{float16(nan)}) == hash(Float16<"1">{float16(-nan)}));
}

TEST_CASE("the dtype and the sizes are part of the hash") {
  CHECK(hash(Float32<"2">()) != hash(Int32<"2">()));
  CHECK(hash(Float32<"2 3">()) != hash(Float32<"3 2">()));
  CHECK(hash(zeros<Float32<"n">>(0)) != hash(zeros<Float32<"n m">>(0, 0)));
}

}  // namespace record_test
