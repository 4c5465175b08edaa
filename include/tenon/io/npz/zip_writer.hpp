#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/io/atomic_file.hpp>
#include <tenon/io/npz/records.hpp>
#include <tenon/io/npz/zlib.hpp>

namespace tenon::internal::npz {

/// The data of a member in two parts.
struct MemberData {
  std::string_view head;
  void const* elements;
  std::size_t bytes;

  std::uint64_t size() const { return head.size() + bytes; }
};

/// Writes the members of a zip file, and then its directory. All have the first date of the format,
/// so that the same data make the same bytes. Numbers from `zip64_from` on are in zip64 records.
class ZipWriter {
 public:
  explicit ZipWriter(AtomicFile& file, std::uint64_t zip64_from = elsewhere32)
      : file_(file), zip64_from_(zip64_from) {}

  void add(std::string const& name, MemberData const& data, bool compressed) {
    Checksum checksum;
    checksum.add(data.head.data(), data.head.size());
    checksum.add(data.elements, data.bytes);
    Entry entry{name, compressed ? deflated : stored, checksum.value(), data.size(), data.size(),
                at_};
    std::string packed;
    if (compressed) packed = pack(data), entry.compressed = packed.size();
    write(local_header(entry));
    if (compressed) write(packed);
    else write(data.head), write(data.elements, data.bytes);
    directory_ += central_header(entry);
    ++entries_;
  }

  void finish() {
    std::uint64_t const at = at_, bytes = directory_.size();
    write(directory_);
    if (at >= zip64_from_ || bytes >= zip64_from_ || entries_ >= elsewhere16)
      write_end64(at, bytes);
    RecordText end;
    std::uint64_t const count = (std::min)(entries_, elsewhere16);
    end.four(signature::end).two(0).two(0).two(count).two(count);
    write(end.four(small(bytes)).four(small(at)).two(0).all());
  }

 private:
  struct Entry {
    std::string const& name;
    unsigned method;
    std::uint32_t checksum;
    std::uint64_t compressed, bytes, at;
  };

  static std::string pack(MemberData const& data) {
    Deflater deflater;
    deflater.add(data.head.data(), data.head.size());
    deflater.add(data.elements, data.bytes);
    return deflater.finish();
  }

  std::uint64_t small(std::uint64_t number) const {
    return number >= zip64_from_ ? elsewhere32 : number;
  }

  bool is_large(Entry const& entry) const {
    return (std::max)(entry.compressed, entry.bytes) >= zip64_from_;
  }

  /// Version 2.0 has deflate, 4.5 zip64.
  static constexpr unsigned version(bool is_zip64) { return is_zip64 ? 45 : 20; }

  /// What both headers of a member have in common: the version it needs up to its sizes.
  RecordText& common(RecordText& to, Entry const& entry, bool large, bool zip64) const {
    bool const is_ascii =
        std::ranges::all_of(entry.name, [](char c) { return static_cast<signed char>(c) >= 0; });
    constexpr unsigned first_date = 1u << 5 | 1u;  // 1980-01-01
    to.two(version(zip64)).two(is_ascii ? 0 : flag::utf8).two(entry.method);
    to.two(0).two(first_date).four(entry.checksum);
    return to.four(large ? elsewhere32 : entry.compressed).four(large ? elsewhere32 : entry.bytes);
  }

  /// Has both sizes in the extra field, or none.
  std::string local_header(Entry const& entry) const {
    bool const large = is_large(entry);
    RecordText header;
    common(header.four(signature::local), entry, large, large);
    header.two(entry.name.size()).two(large ? 20 : 0).text(entry.name);
    if (large) header.two(1).two(16).eight(entry.bytes).eight(entry.compressed);
    return header.all();
  }

  std::string central_header(Entry const& entry) const {
    bool const large = is_large(entry), far = entry.at >= zip64_from_;
    RecordText extra;
    if (large) extra.eight(entry.bytes).eight(entry.compressed);
    if (far) extra.eight(entry.at);
    std::size_t const bytes = extra.all().size();
    RecordText header;
    constexpr unsigned unix_system = 3u << 8, owner_reads_and_writes = 0600;
    header.four(signature::central).two(unix_system | version(large || far));
    common(header, entry, large, large || far).two(entry.name.size());
    header.two(bytes > 0 ? bytes + 4 : 0).two(0).two(0).two(0).four(owner_reads_and_writes << 16);
    header.four(small(entry.at)).text(entry.name);
    if (bytes > 0) header.two(1).two(bytes).text(extra.all());
    return header.all();
  }

  void write_end64(std::uint64_t at, std::uint64_t bytes) {
    std::uint64_t const end = at_;
    RecordText record;
    record.four(signature::end64).eight(44).two(version(true)).two(version(true)).four(0).four(0);
    record.eight(entries_).eight(entries_).eight(bytes).eight(at);
    write(record.four(signature::locator64).four(0).eight(end).four(1).all());
  }

  void write(void const* data, std::size_t bytes) {
    file_.write(data, bytes);
    at_ += bytes;
  }
  void write(std::string_view text) { write(text.data(), text.size()); }

  AtomicFile& file_;
  std::uint64_t zip64_from_;
  std::uint64_t at_ = 0, entries_ = 0;
  std::string directory_{};
};

}  // namespace tenon::internal::npz
