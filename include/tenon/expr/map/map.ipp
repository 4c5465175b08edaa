#pragma once

#include <tenon/core/config.hpp>
#include <tenon/expr/map/map.hpp>

namespace tenon::internal {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void sizes_differ(std::string_view operation,
                                                                       std::string_view spec,
                                                                       int axis,
                                                                       std::int64_t expected,
                                                                       std::int64_t got) {
  fail<ShapeError>({operation, word_of(spec, axis), std::to_string(expected), std::to_string(got),
                    "run-time sizes of \"" + std::string(spec) + "\""});
}

[[noreturn, gnu::cold]] TENON_RUNTIME void sizes_differ(std::string_view operation,
                                                        Shape const& shape, int axis,
                                                        std::int64_t expected, std::int64_t got) {
  sizes_differ(operation, format(shape).view(), axis, expected, got);
}

[[noreturn, gnu::cold]] TENON_RUNTIME void joined_sizes_differ(JoinedShape const& shape,
                                                               std::size_t place,
                                                               std::int64_t expected,
                                                               std::int64_t got) {
  int const axis = place < 8 ? shape.dynamic_axes[place] : static_cast<int>(place - 8);
  sizes_differ(shape.operation, shape.spec, axis, expected, got);
}

}  // namespace tenon::internal
