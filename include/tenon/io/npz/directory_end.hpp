#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <tenon/io/byte_stream.hpp>
#include <tenon/io/npz/records.hpp>

namespace tenon::internal::npz {

/// The position of the directory of a zip file, and the number of its entries.
struct DirectoryPlace {
  std::uint64_t at = 0, bytes = 0, entries = 0;
};

/// Finds the directory of a file from its end. Throws `FileError`.
class DirectoryEnd {
 public:
  DirectoryEnd(InputFile const& file, ArrayPlace const& place) : file_(file), place_(place) {}

  DirectoryPlace find() const {
    std::uint64_t const at = position();
    std::string const text = bytes(at, 22);
    Record const end(text);
    if (end.two(4) != 0 || end.two(6) != 0 || end.two(8) != end.two(10))
      place_.refuse("a zip file in one part", "a part of several");
    DirectoryPlace const found{end.four(16), end.four(12), end.two(10)};
    bool const has_locator = at >= 20 && Record(bytes(at - 20, 20)).four(0) == signature::locator64;
    if (has_locator) return find64(found, at - 20);
    if (is_elsewhere(found)) place_.refuse("a zip64 directory", "none");
    return checked(found, at);
  }

 private:
  static bool is_elsewhere(DirectoryPlace const& place) {
    return place.at == elsewhere32 || place.bytes == elsewhere32 || place.entries == elsewhere16;
  }

  std::string bytes(std::uint64_t at, std::uint64_t count) const {
    std::string text(count, '\0');
    file_.read(at, text.data(), text.size());
    return text;
  }

  /// The last record whose comment ends with the file.
  std::uint64_t position() const {
    std::uint64_t const most = std::min<std::uint64_t>(file_.size(), 22 + 0xffff);
    std::string const text = bytes(file_.size() - most, most);
    for (std::size_t at = text.size() < 22 ? 0 : text.size() - 21; at-- > 0;) {
      Record const end(std::string_view(text).substr(at));
      if (end.four(0) == signature::end && end.two(20) == text.size() - at - 22)
        return file_.size() - most + at;
    }
    place_.refuse("an npz file", text.starts_with("\x93NUMPY")
                                     ? "an npy file, which npy::load reads"
                                     : "another, or a part of one");
  }

  /// Where both ends have a number they agree.
  DirectoryPlace find64(DirectoryPlace const& small, std::uint64_t locator) const {
    std::uint64_t const at = Record(bytes(locator, 20)).eight(8);
    if (locator < 56 || at > locator - 56) place_.refuse("a zip64 directory", "none");
    std::string const text = bytes(at, 56);
    Record const end(text);
    if (end.four(0) != signature::end64 || end.eight(4) != locator - at - 12)
      place_.refuse("a zip64 directory", "none");
    DirectoryPlace const found{end.eight(48), end.eight(40), end.eight(32)};
    bool const agrees = (small.at == elsewhere32 || small.at == found.at) &&
                        (small.bytes == elsewhere32 || small.bytes == found.bytes) &&
                        (small.entries == elsewhere16 || small.entries == found.entries);
    if (!agrees || end.four(16) != 0 || end.four(20) != 0 || end.eight(24) != found.entries)
      place_.refuse("one directory", "a zip64 directory that differs");
    return checked(found, at);
  }

  /// The directory ends where its end begins, and its entries have space in it.
  DirectoryPlace checked(DirectoryPlace const& found, std::uint64_t end) const {
    if (found.at > end || found.bytes != end - found.at)
      place_.refuse("a directory that ends at byte " + std::to_string(end),
                    std::to_string(found.bytes) + " bytes from " + std::to_string(found.at));
    if (found.entries > found.bytes / 46)
      place_.refuse("at most " + std::to_string(found.bytes / 46) + " members in the directory",
                    std::to_string(found.entries));
    return found;
  }

  InputFile const& file_;
  ArrayPlace const& place_;
};

}  // namespace tenon::internal::npz
