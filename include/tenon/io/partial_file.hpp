#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string_view>

#include <tenon/core/config.hpp>

/// Partial files, `target.partial-…`. Their writer holds a lock (flock) on them until it closes
/// them, so that a partial file without a lock is known to be abandoned, on whichever machine or in
/// whichever container its writer ran.
namespace tenon::internal {

inline constexpr std::string_view partial_infix = ".partial-";

/// Unlinks a partial file whose writer no longer runs. On a file system without locks the file
/// remains.
void remove_if_abandoned(std::filesystem::path const& partial);

/// The same for all partial files of a target.
void remove_abandoned_partials(std::filesystem::path const& target);

/// Locks a newly created file. False if another process removed it as abandoned before.
bool lock_partial(int file);

/// Gives a file the owner, group and permissions of the one that it replaces; returns 0 or the
/// error number. Only root can change owners: otherwise the owner is the process's, and a group
/// that cannot be kept gets no permissions.
int copy_ownership(struct stat const& from, int to);

/// Follows all symbolic links of a path, whose target need not exist; returns 0 or the error
/// number.
int follow_links(std::filesystem::path& path);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/io/partial_file.ipp>
#endif
