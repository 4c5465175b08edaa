#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/rules/fit.hpp>

namespace tenon::internal {

[[gnu::cold]] TENON_RUNTIME std::string axis_label(Shape const& shape, int axis) {
  return shape[axis].is_named() ? std::string(shape[axis].name.view())
                                : "axis " + std::to_string(axis);
}

[[gnu::cold]] TENON_RUNTIME std::string expected_size(Shape const& shape, Sizes const& sizes,
                                                      int axis) {
  Axis const& wanted = shape[axis];
  std::int64_t const size = sizes[static_cast<std::size_t>(axis)];
  auto const text = format(wanted);
  if (size < wanted.lower || size > wanted.upper) {
    bool const bounded = wanted.lower > 0 || wanted.upper != unbounded;
    return bounded ? std::string(text.view().substr(wanted.name.length + 1))
                   : "a size of at least 0";
  }
  std::string const number = std::to_string(required_size(shape, sizes, axis).value);
  return wanted.expression.empty() ? number : std::string(text.view()) + " = " + number;
}

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void fail_size(std::string_view operation,
                                                                    Shape const& shape,
                                                                    Sizes const& sizes, int axis) {
  std::string const what = axis_label(shape, axis);
  std::string const expected = expected_size(shape, sizes, axis);
  std::string const got = std::to_string(sizes[static_cast<std::size_t>(axis)]);
  std::string const where = "\"" + std::string(format(shape).view()) + "\"";
  fail<ShapeError>({operation, what, expected, got, where});
}

}  // namespace tenon::internal
