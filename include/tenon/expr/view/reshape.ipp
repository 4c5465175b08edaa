#pragma once

#include <tenon/core/config.hpp>
#include <tenon/expr/view/reshape.hpp>

namespace tenon::internal {

[[noreturn]] TENON_RUNTIME void fail_elements(Shape const& shape, std::int64_t expected,
                                              std::int64_t got) {
  fail<ShapeError>({ReshapeName::name,
                    {},
                    std::to_string(expected) + " elements",
                    std::to_string(got),
                    "\"" + std::string(format(shape).view()) + "\""});
}

}  // namespace tenon::internal
