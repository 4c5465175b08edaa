#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/rules/contraction.hpp>

namespace tenon::internal {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void label_sizes_differ(
    std::string_view who, std::string_view operand, Axis const& axis, std::size_t number,
    std::int64_t expected, std::int64_t got) {
  fail<ShapeError>({who, axis.name.view(), std::to_string(expected), std::to_string(got),
                    "axis " + std::to_string(number) + " of " + std::string(operand)});
}

}  // namespace tenon::internal
