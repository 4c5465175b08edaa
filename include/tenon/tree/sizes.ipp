#pragma once

#include <string>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/tree/sizes.hpp>

namespace tenon::internal::tree {

TENON_RUNTIME void SizeCheck::refuse(Path const& first, Path const& other, std::string_view name,
                                     std::array<std::int64_t, 2> sizes) const {
  auto const axis = [&](std::int64_t size) {
    return "\"" + std::string(name) + "=" + std::to_string(size) + "\"";
  };
  std::string const what = other.text(), got = axis(sizes[1]);
  std::string const expected = axis(sizes[0]) + " as in '" + first.text() + "'";
  fail<ShapeError>({who_, what, expected, got, where_});
}

}  // namespace tenon::internal::tree
