#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/io/npz/directory_end.hpp>
#include <tenon/io/npz/zlib.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal::npz {

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
    std::string const text = bytes(member.at, 30);
    Record const header(text);
    if (header.four(0) != signature::local) refuse_local("none");
    std::uint64_t const name = header.two(26), extra = header.two(28);
    if (limit - member.at - 30 < name + extra) refuse_local("the end of the members");
    std::string const rest = bytes(member.at + 30, name + extra);
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
    std::string const text = bytes(member.end, most);
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

  std::string bytes(std::uint64_t at, std::uint64_t count) const {
    std::string text(count, '\0');
    file_.read(at, text.data(), text.size());
    return text;
  }

  InputFile const& file_;
  ArrayPlace place_;
  DirectoryPlace directory_;
  std::string text_{};
  std::vector<Member> members_{};
};

}  // namespace tenon::internal::npz
