#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>

namespace tenon::internal {

/// What the messages about an array in a file begin and end with: the operation, the name of the
/// array (empty where the file has only one), and the file.
struct ArrayPlace {
  std::string who, what, where;

  /// Throws `FileError`; control characters in `got` are escaped.
  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const;
};

/// Bytes that are read in order, of which the number is known: those of a file, or of a member of
/// an archive.
class ByteStream {
 public:
  ByteStream(std::uint64_t bytes, ArrayPlace place) : left_(bytes), place_(std::move(place)) {}
  ByteStream(ByteStream const&) = delete;
  ByteStream& operator=(ByteStream const&) = delete;
  virtual ~ByteStream() = default;

  std::uint64_t left() const { return left_; }
  ArrayPlace const& place() const { return place_; }

  /// Fills `to`; there must be as many bytes left.
  void read(void* to, std::size_t bytes) {
    read_next(to, bytes);
    left_ -= bytes;
  }

 private:
  virtual void read_next(void* to, std::size_t bytes) = 0;

  std::uint64_t left_;
  ArrayPlace place_;
};

/// All bytes of a file.
class FileStream final : public ByteStream {
 public:
  explicit FileStream(InputFile const& file)
      : ByteStream(file.size(), {file.who(), {}, file.name()}), file_(file) {}

 private:
  void read_next(void* to, std::size_t bytes) override {
    file_.read(file_.size() - left(), to, bytes);
  }

  InputFile const& file_;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/io/byte_stream.ipp>
#endif
