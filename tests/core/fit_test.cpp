#include <doctest/doctest.h>

#include <string>

#include <tenon/core/rules/fit.hpp>

using namespace tenon;
using namespace tenon::internal;

namespace {

/// The message of the check of run-time sizes; "" if they fit.
std::string message_of(std::string_view spec, Sizes const& sizes) {
  try {
    check_sizes("as", parse(spec).shape, sizes);
  } catch (ShapeError const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("sizes that fit pass") {
  CHECK(message_of("batch digit=10", {7, 10, 1, 1, 1, 1, 1, 1}) == "");
  CHECK(message_of("n n+1 n//2", {5, 6, 2, 1, 1, 1, 1, 1}) == "");
  CHECK(message_of("n n=1", {5, 1, 1, 1, 1, 1, 1, 1}) == "");
  CHECK(message_of("", {1, 1, 1, 1, 1, 1, 1, 1}) == "");
}

TEST_CASE("the error for a size that does not fit has the expected size") {
  CHECK(message_of("batch=1..64 784", {70, 784, 1, 1, 1, 1, 1, 1}) ==
        "tenon::as: 'batch': expected 1..64, got 70 (\"batch=1..64 784\")");
  CHECK(message_of("batch=4..", {3, 1, 1, 1, 1, 1, 1, 1}) ==
        "tenon::as: 'batch': expected 4.., got 3 (\"batch=4..\")");
  CHECK(message_of("_ 7", {2, 8, 1, 1, 1, 1, 1, 1}) ==
        "tenon::as: 'axis 1': expected 7, got 8 (\"_ 7\")");
  CHECK(message_of("batch digit=10", {2, 9, 1, 1, 1, 1, 1, 1}) ==
        "tenon::as: 'digit': expected 10, got 9 (\"batch digit=10\")");
  CHECK(message_of("n n", {3, 5, 1, 1, 1, 1, 1, 1}) ==
        "tenon::as: 'n': expected 3, got 5 (\"n n\")");
  CHECK(message_of("n n+1", {3, 5, 1, 1, 1, 1, 1, 1}) ==
        "tenon::as: 'axis 1': expected n+1 = 4, got 5 (\"n n+1\")");
  CHECK(message_of("n=..9 n=..9", {3, 5, 1, 1, 1, 1, 1, 1}) ==
        "tenon::as: 'n': expected 3, got 5 (\"n=..9 n=..9\")");
  CHECK(message_of("batch", {-3, 1, 1, 1, 1, 1, 1, 1}) ==
        "tenon::as: 'batch': expected a size of at least 0, got -3 (\"batch\")");
}

TEST_CASE("messages have one form, and omit what is not known") {
  CHECK(message({"load", "fc1.weight", "float32", "float64", "model.safetensors"}) ==
        "tenon::load: 'fc1.weight': expected float32, got float64 (model.safetensors)");
  CHECK(message({.who = "load", .expected = "a file"}) == "tenon::load: expected a file");
  CHECK(message({.who = "load", .got = "no file", .where = "x"}) == "tenon::load: got no file (x)");
  CHECK_THROWS_AS(fail<IndexError>({"take", "vocab", "below 4", "7", ""}), Error);
}
