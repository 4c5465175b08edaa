#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Images as PNG files (ISO/IEC 15948), without compression.
namespace tenon::internal::training {

/// The cyclic redundancy check of 32 bits with a polynomial, whose bits are reversed.
template <std::uint32_t polynomial>
std::uint32_t crc32(std::string_view bytes) {
  constexpr auto table = [] {
    std::array<std::uint32_t, 256> all{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1u ? polynomial : 0u);
      all[i] = value;
    }
    return all;
  }();
  std::uint32_t crc = ~0u;
  for (char const byte : bytes)
    crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(byte)) & 255u];
  return ~crc;
}

inline std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255u);
  return bytes;
}

/// The checksum of zlib, RFC 1950.
inline std::uint32_t adler32(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for (char const byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

/// The format of zlib with stored blocks alone, RFC 1951, 3.2.4.
inline std::string store_as_zlib(std::string_view bytes) {
  std::string stream = "\x78\x01";
  std::string_view rest = bytes;
  do {
    std::string_view const block = rest.substr(0, 65535);
    rest.remove_prefix(block.size());
    stream += rest.empty() ? '\1' : '\0';
    for (std::size_t const number : {block.size(), ~block.size()})
      for (unsigned const shift : {0u, 8u}) stream += static_cast<char>(number >> shift & 255u);
    stream += block;
  } while (!rest.empty());
  return stream + big_endian(adler32(bytes));
}

inline std::string png_chunk(std::string_view type, std::string_view data) {
  std::string const content = std::string(type).append(data);
  return big_endian(static_cast<std::uint32_t>(data.size())) + content +
         big_endian(crc32<0xedb88320u>(content));
}

/// Pixels of 1 channel (grey), 2 (with alpha), 3 (red, green, blue) or 4 (with alpha), in rows.
inline std::string encode_png(std::string_view pixels, std::int64_t height, std::int64_t width,
                              std::int64_t channels) {
  constexpr std::string_view colour_types("\0\4\2\6", 4);
  auto const row = static_cast<std::size_t>(width * channels);
  std::string lines;
  for (std::size_t begin = 0; begin < pixels.size(); begin += row)
    lines.append(1, '\0').append(pixels.substr(begin, row));
  std::string const header = big_endian(static_cast<std::uint32_t>(width)) +
                             big_endian(static_cast<std::uint32_t>(height)) + '\10' +
                             colour_types[static_cast<std::size_t>(channels - 1)] +
                             std::string(3, '\0');
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) + png_chunk("IDAT", store_as_zlib(lines)) +
         png_chunk("IEND", "");
}

}  // namespace tenon::internal::training
