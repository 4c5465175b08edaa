#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/io/atomic_file.hpp>
#include <tenon/io/npz/zip_directory.hpp>
#include <tenon/io/npz/zlib.hpp>

namespace tenon::internal::npz {

/// The data of a member of a zip file, decompressed.
class MemberStream final : public ByteStream {
 public:
  MemberStream(InputFile const& file, Member const& member, ArrayPlace place)
      : ByteStream(member.bytes, std::move(place)), file_(file), member_(member) {
    if (member.method == deflated) inflater_.emplace();
  }

  /// Checks, when all bytes have been read, that there are no more, and their checksum. Throws
  /// `FileError`.
  void finish() {
    if (inflater_) finish_inflating();
    if (checksum_.value() != member_.checksum)
      place().refuse("the checksum " + std::to_string(member_.checksum),
                     std::to_string(checksum_.value()));
  }

 private:
  void read_next(void* to, std::size_t bytes) override {
    if (inflater_) {
      inflate_all(static_cast<std::byte*>(to), bytes);
    } else {
      file_.read(member_.data_at + taken_, to, bytes);
      taken_ += bytes;
    }
    checksum_.add(to, bytes);
  }

  void inflate_all(std::byte* to, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes;) {
      Inflater::Step const step = inflate_some(to + done, bytes - done);
      done += step.made;
      if (step.state == Inflater::State::has_ended && done < bytes) refuse_size("fewer");
    }
  }

  /// The stream must end here, and with it the compressed data.
  void finish_inflating() {
    std::byte more{};
    auto state = Inflater::State::goes_on;
    while (state != Inflater::State::has_ended && !has_ended_) {
      Inflater::Step const step = inflate_some(&more, 1);
      if (step.made > 0) refuse_size("more");
      state = step.state;
    }
    if (taken_ < member_.compressed || !input_.empty())
      place().refuse("compressed data that end with the member", "more bytes");
  }

  Inflater::Step inflate_some(std::byte* to, std::size_t bytes) {
    if (input_.empty()) refill();
    Inflater::Step const step = inflater_->step(input_, to, bytes);
    if (step.state == Inflater::State::is_damaged) place().refuse("deflated data", "others");
    if (step.state == Inflater::State::has_ended) has_ended_ = true;
    input_.remove_prefix(step.taken);
    return step;
  }

  void refill() {
    std::uint64_t const left = member_.compressed - taken_;
    if (left == 0 || has_ended_) place().refuse("deflated data to their end", "a part");
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, 1 << 16)));
    file_.read(member_.data_at + taken_, buffer_.data(), buffer_.size());
    taken_ += buffer_.size();
    input_ = buffer_;
  }

  [[noreturn]] void refuse_size(std::string const& got) const {
    place().refuse(std::to_string(member_.bytes) + " bytes, as the directory says", got);
  }

  InputFile const& file_;
  Member const& member_;
  std::uint64_t taken_ = 0;  ///< Of the bytes in the file.
  Checksum checksum_{};
  std::optional<Inflater> inflater_{};
  bool has_ended_ = false;  ///< The compressed data.
  std::string buffer_{};
  std::string_view input_{};
};

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
