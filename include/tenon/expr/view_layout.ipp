#pragma once

#include <span>
#include <string>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/expr/view_layout.hpp>

namespace tenon::internal {

[[noreturn, gnu::cold]] TENON_RUNTIME void refuse_pitch(std::int64_t bytes,
                                                        std::int64_t element_bytes,
                                                        std::int64_t row_bytes) {
  bool const is_multiple = bytes % element_bytes == 0;
  fail<ValueError>({.who = "view",
                    .what = "row pitch",
                    .expected = is_multiple
                                    ? "at least " + std::to_string(row_bytes) + " bytes, a row"
                                    : "a multiple of " + std::to_string(element_bytes) + " bytes",
                    .got = std::to_string(bytes)});
}

/// Throws `ShapeError`: the memory has another number of elements.
[[noreturn, gnu::cold]] TENON_RUNTIME void refuse_count(std::string_view spec,
                                                        std::string const& expected,
                                                        std::int64_t elements) {
  fail<ShapeError>({.who = "view",
                    .what = spec,
                    .expected = expected + " elements",
                    .got = std::to_string(elements)});
}

TENON_RUNTIME std::int64_t checked_count(Sizes const& sizes, int rank) {
  return static_cast<std::int64_t>(
      memory::bytes_of(std::span(sizes).first(static_cast<std::size_t>(rank)), 1));
}

TENON_RUNTIME Sizes sizes_from_count(std::string_view spec, Sizes sizes, int rank, int axis,
                                     std::int64_t count) {
  at(sizes, axis) = 1;
  std::int64_t const others = checked_count(sizes, rank);
  if (others == 0 ? count != 0 : count % others != 0)
    refuse_count(spec, "a multiple of " + std::to_string(others), count);
  at(sizes, axis) = others == 0 ? 0 : count / others;
  return sizes;
}

TENON_RUNTIME void check_elements(std::string_view spec, Sizes const& sizes, int rank,
                                  std::int64_t elements) {
  std::int64_t const expected = checked_count(sizes, rank);
  if (expected != elements) refuse_count(spec, std::to_string(expected), elements);
}

TENON_RUNTIME void check_elements(std::string_view spec, Sizes const& sizes, Sizes const& strides,
                                  int rank, std::int64_t elements) {
  if (checked_count(sizes, rank) == 0) return;
  std::int64_t needed = 1;
  bool overflows = false;
  for (int i = 0; i < rank; ++i) {
    std::int64_t const steps = at(sizes, i) - 1, stride = at(strides, i);
    if (steps > 0 && stride < 0)
      fail<ShapeError>({.who = "view",
                        .what = spec,
                        .expected = "strides that are not negative, from the first element on",
                        .got = std::to_string(stride)});
    std::int64_t reach = 0;
    overflows = overflows || __builtin_mul_overflow(steps, stride, &reach) ||
                __builtin_add_overflow(needed, reach, &needed);
  }
  if (overflows || needed > elements)
    refuse_count(spec, "at least " + (overflows ? "2^63" : std::to_string(needed)), elements);
}

}  // namespace tenon::internal
