#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <utility>

/// Checksums, and compression by deflate (RFC 1951). The only header that includes zlib; with
/// CMake, `tenon::npz` links it.
#if !__has_include(<zlib.h>)
#error "tenon/io/npz.hpp: expected zlib (Debian: zlib1g-dev, -lz)"
#endif
#include <zlib.h>

namespace tenon::internal::npz {

/// The CRC-32 of bytes that are added in parts.
class Checksum {
 public:
  void add(void const* data, std::size_t bytes) {
    if (bytes > 0) value_ = ::crc32_z(value_, static_cast<Bytef const*>(data), bytes);
  }
  std::uint32_t value() const { return static_cast<std::uint32_t>(value_); }

 private:
  uLong value_ = 0;
};

/// No zlib header and trailer, the largest window: as in zip files.
inline constexpr int raw_deflate = -MAX_WBITS;

/// The most bytes that one byte of compressed data can stand for: matches of 258 bytes of two bits.
inline constexpr std::uint64_t most_inflation = 1032;

/// zlib counts the bytes of one call in 32 bits.
inline uInt bytes_of_call(std::size_t bytes) {
  constexpr std::size_t most = (std::numeric_limits<uInt>::max)();
  return static_cast<uInt>((std::min)(bytes, most));
}

inline Bytef* input_of_zlib(void const* data) {
  return const_cast<Bytef*>(static_cast<Bytef const*>(data));
}

/// Decompresses in steps.
class Inflater {
 public:
  enum class State { goes_on, has_ended, is_damaged };
  struct Step {
    std::size_t taken;
    std::size_t made;
    State state;
  };

  Inflater() {
    if (::inflateInit2(&stream_, raw_deflate) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { ::inflateEnd(&stream_); }
  Inflater(Inflater const&) = delete;
  Inflater& operator=(Inflater const&) = delete;

  /// Consumes input and produces output until either is used up or the data end.
  Step step(std::string_view from, void* to, std::size_t bytes) {
    stream_.next_in = input_of_zlib(from.data());
    stream_.avail_in = bytes_of_call(from.size());
    stream_.next_out = static_cast<Bytef*>(to);
    stream_.avail_out = bytes_of_call(bytes);
    uInt const in = stream_.avail_in, out = stream_.avail_out;
    int const code = ::inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    bool const is_damaged = code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR;
    return {in - stream_.avail_in, out - stream_.avail_out,
            is_damaged             ? State::is_damaged
            : code == Z_STREAM_END ? State::has_ended
                                   : State::goes_on};
  }

 private:
  z_stream stream_{};
};

/// Compresses bytes that are added in parts, with the level of Python's zipfile.
class Deflater {
 public:
  Deflater() {
    constexpr int default_memory = 8;
    if (::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw_deflate, default_memory,
                       Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Deflater() { ::deflateEnd(&stream_); }
  Deflater(Deflater const&) = delete;
  Deflater& operator=(Deflater const&) = delete;

  void add(void const* data, std::size_t bytes) {
    auto const* from = static_cast<char const*>(data);
    while (bytes > 0) {
      uInt const now = bytes_of_call(bytes);
      stream_.next_in = input_of_zlib(from);
      stream_.avail_in = now;
      run(Z_NO_FLUSH);
      from += now, bytes -= now;
    }
  }

  /// All compressed data.
  std::string finish() {
    run(Z_FINISH);
    return std::move(made_);
  }

 private:
  void run(int flush) {
    char some[1 << 14];
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(some);
      stream_.avail_out = sizeof some;
      ::deflate(&stream_, flush);
      made_.append(some, sizeof some - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::string made_;
};

}  // namespace tenon::internal::npz
