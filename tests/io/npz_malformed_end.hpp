#pragma once

// Npz files whose directory is not where its end says.

#include <cstdint>
#include <string>

#include "npz_change.hpp"

namespace npz_malformed {

/// A zip64 end and its locator, for a directory of `bytes` from `at`.
inline std::string end64(std::uint64_t entries, std::uint64_t bytes, std::uint64_t at,
                         std::uint64_t record_at, std::uint64_t record_bytes = 44) {
  RecordText text;
  text.four(0x06064b50).eight(record_bytes).two(45).two(45).four(0).four(0);
  text.eight(entries).eight(entries).eight(bytes).eight(at);
  return text.four(0x07064b50).four(0).eight(record_at).four(1).all();
}

inline MalformedNpz const malformed_ends[] = {
    {[](Zip& z, Member&) { z.end.comment_bytes = 5; },
     "expected an npz file, got another, or a part of one"},
    {[](Zip& z, Member&) { z.end.comment = "ab", z.end.comment_bytes = 1; },
     "expected an npz file, got another, or a part of one"},
    {[](Zip& z, Member&) { z.end.disk = 1; },
     "expected a zip file in one part, got a part of several"},
    {[](Zip& z, Member&) { z.end.directory_disk = 1; },
     "expected a zip file in one part, got a part of several"},
    {[](Zip& z, Member&) { z.end.entries_here = 2; },
     "expected a zip file in one part, got a part of several"},
    {[](Zip& z, Member&) { z.end.entries = 0; }, "expected 0 members in the directory, got more"},
    {[](Zip& z, Member&) { z.end.entries = 2; },
     "expected at most 1 members in the directory, got 2"},
    {[](Zip& z, Member&) { z.end.entries = 0xfffe; },
     "expected at most 1 members in the directory, got 65534"},
    {[](Zip& z, Member&) { z.end.entries = 0xffff; }, "expected a zip64 directory, got none"},
    {[](Zip& z, Member&) { z.end.at = 0xffffffff; }, "expected a zip64 directory, got none"},
    {[](Zip& z, Member&) { z.end.bytes = 0xffffffff; }, "expected a zip64 directory, got none"},
    {[](Zip& z, Member&) { z.end.at = 166; },
     "expected a directory that ends at byte 218, got 51 bytes from 166"},
    {[](Zip& z, Member&) { z.end.at = 0xfffffff0; },
     "expected a directory that ends at byte 218, got 51 bytes from 4294967280"},
    {[](Zip& z, Member&) { z.end.bytes = 0xfffffff0; },
     "expected a directory that ends at byte 218, got 4294967280 bytes from 167"},
    {[](Zip& z, Member&) { z.end.bytes = 0; },
     "expected a directory that ends at byte 218, got 0 bytes from 167"},
    {[](Zip& z, Member&) {
       z.before = "MZ";
       z.end.at = 167;
     },
     "expected a directory that ends at byte 220, got 51 bytes from 167"},
    {[](Zip& z, Member&) { z.between = "??"; },
     "expected a directory that ends at byte 220, got 51 bytes from 167"},
    {[](Zip& z, Member&) { z.between = end64(1, 51, 167, 1 << 20); },
     "expected a zip64 directory, got none"},
    {[](Zip& z, Member&) { z.between = end64(1, 51, 167, ~std::uint64_t{0}); },
     "expected a zip64 directory, got none"},
    {[](Zip& z, Member&) { z.between = end64(1, 51, 167, 0); },
     "expected a zip64 directory, got none"},
    {[](Zip& z, Member&) { z.between = end64(1, 51, 167, 218, ~std::uint64_t{0}); },
     "expected a zip64 directory, got none"},
    {[](Zip& z, Member&) { z.between = end64(2, 51, 167, 218); },
     "expected one directory, got a zip64 directory that differs"},
    {[](Zip& z, Member&) { z.between = end64(1, 50, 167, 218); },
     "expected one directory, got a zip64 directory that differs"},
    {[](Zip& z, Member&) { z.between = end64(1, 51, 160, 218); },
     "expected one directory, got a zip64 directory that differs"},
    {[](Zip& z, Member&) {
       z.between = end64(1, ~std::uint64_t{0}, 167, 218), z.end.bytes = 0xffffffff;
     },
     "expected a directory that ends at byte 218, got 18446744073709551615 bytes from 167"},
    {[](Zip& z, Member&) {
       z.between = end64(1, 51, ~std::uint64_t{50}, 218), z.end.at = 0xffffffff;
     },
     "expected a directory that ends at byte 218, got 51 bytes from 18446744073709551565"},
    {[](Zip& z, Member&) {
       z.between = end64(std::uint64_t{1} << 60, 51, 167, 218), z.end.entries = 0xffff;
     },
     "expected at most 1 members in the directory, got 1152921504606846976"},
};

}  // namespace npz_malformed
