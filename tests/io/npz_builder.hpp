#pragma once

// Zip files of any contents, also wrong ones, for the tests of the reader of npz files.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tenon/io/npz.hpp>

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

/// What a local header, or an entry of the directory, says of a member.
struct Said {
  std::string name{};
  unsigned flags = 0, method = 0;
  std::uint32_t checksum = 0;
  std::uint64_t compressed = 0, bytes = 0, at = 0;
  unsigned disk = 0, version = 20;
  std::string extra{}, comment{};
};

struct Member {
  std::string data{};  ///< Compressed, if it is.
  Said local{}, central{};
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
  return made.both([&](Said& said) {
    said.name = name;
    said.method = compressed ? 8 : 0;
    said.checksum = checksum_of(data);
    said.compressed = made.data.size();
    said.bytes = data.size();
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
      Said central = member.central;
      if (!member.has_own_at) central.at = all.size();
      all += local_header(member.local) + member.data + member.after;
      directory += central_header(central);
    }
    std::size_t const at = all.size();
    return all + directory + between + end_record(at, directory.size());
  }

  static std::string local_header(Said const& said) {
    RecordText text;
    text.four(0x04034b50).two(20).two(said.flags).two(said.method).four(0x00210000);
    text.four(said.checksum).four(said.compressed).four(said.bytes);
    return text.two(said.name.size()).two(said.extra.size()).text(said.name + said.extra).all();
  }

  static std::string central_header(Said const& said) {
    RecordText text;
    text.four(0x02014b50)
        .two(20)
        .two(said.version)
        .two(said.flags)
        .two(said.method)
        .four(0x00210000);
    text.four(said.checksum).four(said.compressed).four(said.bytes).two(said.name.size());
    text.two(said.extra.size()).two(said.comment.size()).two(said.disk).two(0).four(0);
    return text.four(said.at).text(said.name + said.extra + said.comment).all();
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
