#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/io/file.hpp>
#include <tenon/io/npz/zlib.hpp>
#include <tenon/io/utf8.hpp>

/// The records of zip files, https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
namespace tenon::internal::npz {

namespace signature {
inline constexpr std::uint32_t local = 0x04034b50, descriptor = 0x08074b50, central = 0x02014b50,
                               end = 0x06054b50, end64 = 0x06064b50, locator64 = 0x07064b50;
}

/// Where the number in a field of 16 or 32 bits is elsewhere, in the records of zip64.
inline constexpr std::uint64_t elsewhere16 = 0xffff, elsewhere32 = 0xffffffff;

namespace flag {
inline constexpr unsigned encrypted = 1u << 0, has_descriptor = 1u << 3, patch = 1u << 5,
                          strongly_encrypted = 1u << 6, utf8 = 1u << 11, masked = 1u << 13;
}

inline constexpr unsigned stored = 0, deflated = 8;  // methods

/// A record, or a part of one: numbers are little-endian.
class Record {
 public:
  explicit Record(std::string_view bytes) : bytes_(bytes) {}

  std::uint32_t two(std::size_t at) const { return static_cast<std::uint32_t>(number(at, 2)); }
  std::uint32_t four(std::size_t at) const { return static_cast<std::uint32_t>(number(at, 4)); }
  std::uint64_t eight(std::size_t at) const { return number(at, 8); }

 private:
  std::uint64_t number(std::size_t at, std::size_t bytes) const {
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    return value;
  }

  std::string_view bytes_;
};

/// A record being written.
class RecordText {
 public:
  RecordText& two(std::uint64_t value) { return number(value, 2); }
  RecordText& four(std::uint64_t value) { return number(value, 4); }
  RecordText& eight(std::uint64_t value) { return number(value, 8); }
  RecordText& text(std::string_view more) {
    text_ += more;
    return *this;
  }
  std::string const& all() const { return text_; }

 private:
  RecordText& number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) text_ += static_cast<char>(value >> (8 * i) & 255u);
    return *this;
  }

  std::string text_;
};

/// The numbers that a zip64 extra field has in place of those that are `elsewhere32`, in order.
class Numbers64 {
 public:
  /// Finds the field among the extra fields of a record; `is_damaged` if these are.
  explicit Numbers64(std::string_view extra) {
    while (extra.size() >= 4) {
      std::size_t const id = Record(extra).two(0), bytes = Record(extra).two(2);
      if (bytes > extra.size() - 4) break;
      if (id == 1 && !has_) rest_ = extra.substr(4, bytes), has_ = true;
      extra.remove_prefix(4 + bytes);
    }
    is_damaged_ = !extra.empty();
  }

  /// The number itself, or the next one here.
  std::uint64_t next(std::uint64_t number) {
    if (number != elsewhere32) return number;
    if (rest_.size() < 8) is_damaged_ = true;
    if (is_damaged_) return 0;
    std::uint64_t const value = Record(rest_).eight(0);
    rest_.remove_prefix(8);
    return value;
  }

  bool is_damaged() const { return is_damaged_; }

 private:
  std::string_view rest_{};
  bool has_ = false, is_damaged_ = false;
};

inline std::string bytes_at(InputFile const& file, std::uint64_t at, std::uint64_t count) {
  std::string text(count, '\0');
  file.read(at, text.data(), text.size());
  return text;
}

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
    std::string const text = bytes_at(file_, at, 22);
    Record const end(text);
    if (end.two(4) != 0 || end.two(6) != 0 || end.two(8) != end.two(10))
      place_.refuse("a zip file in one part", "a part of several");
    DirectoryPlace const found{end.four(16), end.four(12), end.two(10)};
    bool const has_locator =
        at >= 20 && Record(bytes_at(file_, at - 20, 20)).four(0) == signature::locator64;
    if (has_locator) return find64(found, at - 20);
    if (is_elsewhere(found)) place_.refuse("a zip64 directory", "none");
    return checked(found, at);
  }

 private:
  static bool is_elsewhere(DirectoryPlace const& place) {
    return place.at == elsewhere32 || place.bytes == elsewhere32 || place.entries == elsewhere16;
  }

  /// The last record whose comment ends with the file.
  std::uint64_t position() const {
    std::uint64_t const most = std::min<std::uint64_t>(file_.size(), 22 + 0xffff);
    std::string const text = bytes_at(file_, file_.size() - most, most);
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
    std::uint64_t const at = Record(bytes_at(file_, locator, 20)).eight(8);
    if (locator < 56 || at > locator - 56) place_.refuse("a zip64 directory", "none");
    std::string const text = bytes_at(file_, at, 56);
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

/// A member of a zip file, as in its directory.
struct Member {
  std::string name{};  ///< With its ending.
  unsigned flags = 0, method = 0, version = 0;
  std::uint32_t checksum = 0;
  std::uint64_t compressed = 0, bytes = 0;  ///< The sizes of its data.
  std::uint64_t at = 0;                     ///< The offset of its local header.
  std::uint64_t data_at = 0, end = 0;       ///< Of its data, and of all of it.
};

/// Reads the directory of a zip file and the local headers of its members, which must say the same.
/// Members of equal names, that overlap, or that are larger than their data can be are refused.
/// Throws `FileError`.
class DirectoryReader {
 public:
  DirectoryReader(InputFile const& file, ArrayPlace place)
      : file_(file), place_(std::move(place)), directory_(DirectoryEnd(file, place_).find()) {}

  std::vector<Member> read() {
    text_.resize(directory_.bytes);
    file_.read(directory_.at, text_.data(), text_.size());
    std::string_view rest = text_;
    for (std::uint64_t i = 0; i < directory_.entries; ++i) members_.push_back(next(rest));
    place_.what.clear();
    if (!rest.empty())
      place_.refuse(std::to_string(directory_.entries) + " members in the directory", "more");
    check_names();
    for (Member& member : members_) read_local(member);
    check_overlaps();
    return std::move(members_);
  }

 private:
  /// Splits the next entry from the directory.
  Member next(std::string_view& rest) {
    Record const entry(rest);
    if (rest.size() < 46 || entry.four(0) != signature::central) refuse_entry();
    std::size_t const name = entry.two(28), extra = entry.two(30), comment = entry.two(32);
    if (rest.size() - 46 < name + extra + comment) refuse_entry();
    Numbers64 numbers(rest.substr(46 + name, extra));
    Member member{.name = std::string(rest.substr(46, name)),
                  .flags = entry.two(8),
                  .method = entry.two(10),
                  .version = entry.two(6) & 255u,
                  .checksum = entry.four(16)};
    place_.what = member.name;
    member.bytes = numbers.next(entry.four(24));
    member.compressed = numbers.next(entry.four(20));
    member.at = numbers.next(entry.four(42));
    if (numbers.is_damaged()) place_.refuse("extra fields of a zip file", "others");
    if (entry.two(34) != 0) place_.refuse("a zip file in one part", "a part of several");
    check(member);
    rest.remove_prefix(46 + name + extra + comment);
    return member;
  }

  [[noreturn]] void refuse_entry() const { place_.refuse("an entry of the directory", "none"); }

  static std::string decimal(unsigned version) {
    return std::to_string(version / 10) + "." + std::to_string(version % 10);
  }

  void check(Member const& member) const {
    if (!is_utf8(member.name)) place_.refuse("a name of UTF-8", "other bytes");
    if (member.name.find('\0') != member.name.npos)
      place_.refuse("a name without zero bytes", "one with them");
    if (!member.name.ends_with(".npy")) place_.refuse("a name that ends in .npy", "this");
    if (member.version > 63)  // that of the current specification
      place_.refuse("a zip file of version 6.3 or before", decimal(member.version));
    constexpr unsigned encrypted = flag::encrypted | flag::strongly_encrypted | flag::masked;
    if ((member.flags & encrypted) != 0) place_.refuse("a member in the clear", "an encrypted one");
    if ((member.flags & flag::patch) != 0) place_.refuse("a member of data", "a patch");
    if (member.method != stored && member.method != deflated)
      place_.refuse("a stored or deflated member", "method " + std::to_string(member.method));
    bool const is_possible = member.method == stored
                                 ? member.bytes == member.compressed
                                 : member.bytes / most_inflation <= member.compressed;
    if (!is_possible)
      place_.refuse("a size that its " + std::to_string(member.compressed) + " bytes can have",
                    std::to_string(member.bytes) + " bytes");
  }

  void check_names() const {
    std::vector<std::string_view> names;
    names.reserve(members_.size());
    for (Member const& member : members_) names.push_back(member.name);
    std::ranges::sort(names);
    auto const again = std::ranges::adjacent_find(names);
    if (again == names.end()) return;
    place_.refuse("every name once", "'" + std::string(*again) + "' again");
  }

  /// Compares the local header with the directory; sets where the data are.
  void read_local(Member& member) {
    place_.what = member.name;
    std::uint64_t const limit = directory_.at;
    if (limit < 30 || member.at > limit - 30) refuse_local("the end of the members");
    std::string const text = bytes_at(file_, member.at, 30);
    Record const header(text);
    if (header.four(0) != signature::local) refuse_local("none");
    std::uint64_t const name = header.two(26), extra = header.two(28);
    if (limit - member.at - 30 < name + extra) refuse_local("the end of the members");
    std::string const rest = bytes_at(file_, member.at + 30, name + extra);
    if (!agrees(member, header, rest)) refuse_local("another");
    member.data_at = member.at + 30 + name + extra;
    if (member.compressed > limit - member.data_at) refuse_local("one with too much data");
    member.end = member.data_at + member.compressed;
    if ((member.flags & flag::has_descriptor) != 0) member.end += descriptor_bytes(member);
  }

  [[noreturn]] void refuse_local(std::string const& got) const {
    place_.refuse("a local header as in the directory", got);
  }

  /// With a data descriptor, which follows the data, the numbers may be zero here.
  static bool agrees(Member const& member, Record const& header, std::string_view rest) {
    std::size_t const name = header.two(26);
    Numbers64 numbers(rest.substr(name));
    std::uint64_t const bytes = numbers.next(header.four(22));
    std::uint64_t const compressed = numbers.next(header.four(18));
    bool const may_be_zero = (member.flags & flag::has_descriptor) != 0;
    auto const same = [&](std::uint64_t here, std::uint64_t there) {
      return here == there || (may_be_zero && here == 0);
    };
    return !numbers.is_damaged() && rest.substr(0, name) == member.name &&
           header.two(6) == member.flags && header.two(8) == member.method &&
           same(header.four(14), member.checksum) && same(compressed, member.compressed) &&
           same(bytes, member.bytes);
  }

  /// The length of the data descriptor: with or without a signature, of 32 or 64 bits.
  std::uint64_t descriptor_bytes(Member const& member) const {
    std::uint64_t const most = std::min<std::uint64_t>(24, directory_.at - member.end);
    std::string const text = bytes_at(file_, member.end, most);
    for (bool const has_signature : {true, false}) {
      for (bool const is_wide : {true, false}) {
        RecordText wanted;
        if (has_signature) wanted.four(signature::descriptor);
        wanted.four(member.checksum);
        if (is_wide) wanted.eight(member.compressed).eight(member.bytes);
        else wanted.four(member.compressed).four(member.bytes);
        if (text.starts_with(wanted.all())) return wanted.all().size();
      }
    }
    place_.refuse("a data descriptor as in the directory", "another");
  }

  void check_overlaps() {
    std::vector<Member const*> order;
    order.reserve(members_.size());
    for (Member const& member : members_) order.push_back(&member);
    std::ranges::sort(order, {}, &Member::at);
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (order[i - 1]->end <= order[i]->at) continue;
      place_.what = order[i]->name;
      place_.refuse("members one after the other", "one within '" + order[i - 1]->name + "'");
    }
  }

  InputFile const& file_;
  ArrayPlace place_;
  DirectoryPlace directory_;
  std::string text_{};
  std::vector<Member> members_{};
};

}  // namespace tenon::internal::npz
