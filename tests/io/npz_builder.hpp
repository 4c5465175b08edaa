#pragma once

// Zip files of any contents, also wrong ones, for the tests of the reader of npz files.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tenon/io/npz.hpp>
#include <tenon/io/npz/zip_members.hpp>

namespace npz_builder {

using tenon::internal::npz::RecordText;

inline std::uint32_t checksum_of(std::string const& data) {
  tenon::internal::npz::Checksum checksum;
  checksum.add(data.data(), data.size());
  return checksum.value();
}

inline std::string deflated_text(std::string const& data) {
  tenon::internal::npz::Deflater deflater;
  deflater.add(data.data(), data.size());
  return deflater.finish();
}

/// The fields of a local header, or of an entry of the directory, for one member.
struct MemberFields {
  std::string name{};
  unsigned flags = 0, method = 0;
  std::uint32_t checksum = 0;
  std::uint64_t compressed = 0, bytes = 0, at = 0;
  unsigned disk = 0, version = 20;
  std::string extra{}, comment{};
};

struct Member {
  std::string data{};  ///< Compressed, if it is.
  MemberFields local{}, central{};
  std::string after{};  ///< A data descriptor.
  bool has_own_at = false;

  /// Changes what both headers say.
  template <class F>
  Member& both(F const& change) {
    change(local);
    change(central);
    return *this;
  }
};

inline Member member(std::string const& name, std::string const& data, bool compressed = false) {
  Member made;
  made.data = compressed ? deflated_text(data) : data;
  return made.both([&](MemberFields& fields) {
    fields.name = name;
    fields.method = compressed ? 8 : 0;
    fields.checksum = checksum_of(data);
    fields.compressed = made.data.size();
    fields.bytes = data.size();
  });
}

/// The end of a directory; a number that is absent is the right one.
struct End {
  std::optional<std::uint64_t> entries{}, entries_here{}, bytes{}, at{};
  unsigned disk = 0, directory_disk = 0;
  std::string comment{};
  std::optional<unsigned> comment_bytes{};
};

struct Zip {
  std::vector<Member> members{};
  End end{};
  std::string before{}, between{};  ///< Bytes before the first member, and after the directory.

  std::string text() const {
    std::string all = before, directory;
    for (Member const& member : members) {
      MemberFields central = member.central;
      if (!member.has_own_at) central.at = all.size();
      all += local_header(member.local) + member.data + member.after;
      directory += central_header(central);
    }
    std::size_t const at = all.size();
    return all + directory + between + end_record(at, directory.size());
  }

  static std::string local_header(MemberFields const& fields) {
    RecordText text;
    text.four(0x04034b50).two(20).two(fields.flags).two(fields.method).four(0x00210000);
    text.four(fields.checksum).four(fields.compressed).four(fields.bytes);
    return text.two(fields.name.size())
        .two(fields.extra.size())
        .text(fields.name + fields.extra)
        .all();
  }

  static std::string central_header(MemberFields const& fields) {
    RecordText text;
    text.four(0x02014b50)
        .two(20)
        .two(fields.version)
        .two(fields.flags)
        .two(fields.method)
        .four(0x00210000);
    text.four(fields.checksum).four(fields.compressed).four(fields.bytes).two(fields.name.size());
    text.two(fields.extra.size()).two(fields.comment.size()).two(fields.disk).two(0).four(0);
    return text.four(fields.at).text(fields.name + fields.extra + fields.comment).all();
  }

  std::string end_record(std::uint64_t at, std::uint64_t bytes) const {
    RecordText text;
    text.four(0x06054b50).two(end.disk).two(end.directory_disk);
    std::uint64_t const entries = end.entries.value_or(members.size());
    text.two(end.entries_here.value_or(entries)).two(entries);
    text.four(end.bytes.value_or(bytes)).four(end.at.value_or(at));
    unsigned const length = static_cast<unsigned>(end.comment.size());
    return text.two(end.comment_bytes.value_or(length)).text(end.comment).all();
  }
};

/// An npy file of uint8 elements.
inline std::string array(std::string const& elements) {
  auto const size = static_cast<std::int64_t>(elements.size());
  return tenon::internal::npy::head_of(*tenon::internal::npy::dtype_named("uint8"), {size}) +
         elements;
}

/// A file of one good member, with a change.
inline std::string one(std::function<void(Zip&, Member&)> const& change, bool compressed = false) {
  Zip zip;
  zip.members.push_back(member("a.npy", array("1234"), compressed));
  change(zip, zip.members[0]);
  return zip.text();
}

}  // namespace npz_builder
