#pragma once

#include <tenon/core/config.hpp>
#include <tenon/tensor/number_text.hpp>

namespace tenon {

TENON_RUNTIME NumberText cut(std::string_view text) {
  std::size_t const e = std::min(text.find('e'), text.size());
  std::size_t const point = std::min(text.find('.'), e);
  NumberText result{std::string(text.substr(0, point)), "", ""};
  if (point < e) result.fraction = text.substr(point + 1, e - point - 1);
  if (e < text.size()) result.exponent = text.substr(e + 1);
  while (result.fraction.ends_with('0')) result.fraction.pop_back();
  return result;
}

TENON_RUNTIME std::string not_finite(double x) {
  return std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
}

}  // namespace tenon
