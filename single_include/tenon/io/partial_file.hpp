// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string_view>

#include <tenon/tenon.hpp>

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
