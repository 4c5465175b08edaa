// The values of the suite on reference, computed once for all devices.

#include "suite/forward.hpp"
#include "suite/whole_ops.hpp"

suite::Values const& suite::expected_forward() {
  static Values const values = forward<Reference>();
  return values;
}
suite::Values const& suite::expected_ops() {
  static Values const values = ops<Reference>();
  return values;
}
suite::Values const& suite::expected_whole_ops() {
  static Values const values = whole_ops<Reference>();
  return values;
}
suite::Values const& suite::expected_other_dtypes() {
  static Values const values = other_dtypes<Reference>();
  return values;
}
