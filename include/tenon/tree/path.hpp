#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::internal::tree {

/// The path of a node in a tree: `blocks.0.attention.query.weight`. Formatted only on demand; valid
/// during the call that it is passed to.
struct Path {
  Path const* parent = nullptr;
  std::string_view name{};  ///< Of a field; empty for an element.
  std::size_t index = 0;    ///< Of an element.

  std::string text() const;
  operator std::string() const { return text(); }
};

}  // namespace tenon::internal::tree

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::tree {

TENON_RUNTIME std::string Path::text() const {
  if (!parent) return {};
  std::string before = parent->text();
  if (!before.empty()) before += '.';
  return before += name.empty() ? std::to_string(index) : std::string(name);
}

}  // namespace tenon::internal::tree

#endif
