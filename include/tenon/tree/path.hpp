#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>

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

[[gnu::cold, gnu::noinline]] TENON_RUNTIME std::string Path::text() const {
  if (!parent) return {};
  std::string const before = parent->text();
  std::string const own = name.empty() ? decimal(static_cast<std::int64_t>(index)) : "";
  return concatenate({before, before.empty() ? "" : ".", name, own});
}

}  // namespace tenon::internal::tree

#endif
