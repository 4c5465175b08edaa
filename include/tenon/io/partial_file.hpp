#pragma once

#include <filesystem>
#include <string_view>

#include <tenon/core/config.hpp>

/// Partial files, `target.partial-…`. Their writer holds a lock on them (Windows: has them open)
/// until it closes them, so that a partial file without a lock is known to be abandoned, on
/// whichever machine or in whichever container its writer ran.
namespace tenon::internal {

inline constexpr std::string_view partial_infix = ".partial-";

/// Unlinks the partial files of a target whose writers no longer run.
void remove_abandoned_partials(std::filesystem::path const& target);

/// Follows all symbolic links of a path, whose target need not exist; returns 0 or the error
/// number.
int follow_links(std::filesystem::path& path);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/io/partial_file.ipp>
#endif
