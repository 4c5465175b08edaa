#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/rules/limits.hpp>

namespace tenon::internal {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void outside_limits(std::string_view operation,
                                                                         std::string_view spec,
                                                                         int axis,
                                                                         std::int64_t size) {
  std::string_view const word = word_of(spec, axis), name = leading_name(word);
  bool const is_named = !name.empty() && name != "_";
  bool const is_bounded = word.find("..") != word.npos;
  std::string const label = is_named ? std::string(name) : "axis " + std::to_string(axis);
  std::string const where = "\"" + std::string(spec) + "\"";
  std::string_view const allowed = is_named && name != word ? word.substr(name.size() + 1) : word;
  fail<ShapeError>({operation, label, size < 0 && !is_bounded ? "a size of at least 0" : allowed,
                    std::to_string(size), where});
}

}  // namespace tenon::internal
