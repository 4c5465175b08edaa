#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

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

}  // namespace tenon::internal::npz
