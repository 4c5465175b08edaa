#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

/// A folder for the duration of one test.
class Folder {
 public:
  Folder() {
    std::random_device random;
    auto const parent = std::filesystem::temp_directory_path();
    do path_ = parent / ("tenon-" + std::to_string(random()));
    while (!std::filesystem::create_directory(path_));
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// The number of files in it.
  std::int64_t count() const {
    return std::distance(std::filesystem::directory_iterator(path_), {});
  }

 private:
  std::filesystem::path path_;
};

inline void write_bytes(std::filesystem::path const& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string read_bytes(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A number as eight bytes, little-endian.
inline std::string eight_bytes(std::uint64_t number) {
  std::string bytes;
  for (int i = 0; i < 64; i += 8) bytes += static_cast<char>(number >> i & 255u);
  return bytes;
}

/// A safetensors file with the given header and data.
inline void write_file(std::filesystem::path const& path, std::string_view header,
                       std::string_view data) {
  write_bytes(path, eight_bytes(header.size()).append(header).append(data));
}

/// The message of the exception, without the folder's name; "nothing" if none is thrown.
template <class Exception, class F>
std::string words_of(F&& call) {
  try {
    call();
  } catch (Exception const& e) {
    std::string words = e.what();
    auto const root = std::filesystem::temp_directory_path().root_path().string();
    auto const begin = words.rfind(" (" + root);
    auto const end = words.rfind(static_cast<char>(std::filesystem::path::preferred_separator));
    if (begin != words.npos && end != words.npos) words.erase(begin + 2, end - begin - 1);
    return words;
  }
  return "nothing";
}
