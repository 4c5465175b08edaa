#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/onnx/model.hpp>

namespace tenon::internal::onnx {

/// The operation in messages about a file that is read.
inline constexpr std::string_view reading = "onnx::load";

/// The bytes of a file while they are decoded, and the memory that what is decoded may occupy. (A
/// message of two bytes can be a struct of several hundred.)
class Source {
 public:
  Source(std::string_view bytes, std::string name, std::uint64_t most_memory)
      : bytes_(bytes), name_(std::move(name)), memory_left_(most_memory) {}

  std::string_view bytes() const { return bytes_; }
  std::string const& name() const { return name_; }

  /// Counts memory. Throws `FileError` if it is more than allowed.
  void charge(std::uint64_t bytes);

  /// Throws `FileError` with the name of a tensor, `what`.
  [[noreturn]] void refuse(std::string_view what, std::string_view expected,
                           std::string_view got) const;

  /// The same with a position, a part of `bytes()`.
  [[noreturn]] void refuse_at(char const* at, std::string_view expected,
                              std::string_view got) const;

 private:
  std::string_view bytes_;
  std::string name_;
  std::uint64_t memory_left_;
};

/// The files beside a model with elements of its tensors, each opened and mapped once.
class ExternalFiles {
 public:
  explicit ExternalFiles(std::filesystem::path model) : model_(std::move(model)) {}

  /// The elements of a tensor. Only files in the folder of the model and below it are opened, also
  /// where their names are symbolic links. Throws `FileError`.
  Bytes bytes(Source const& source, std::string_view tensor, ExternalData const& data);

 private:
  struct File {
    explicit File(std::filesystem::path const& path) : file(path, reading), mapped(file) {}
    InputFile file;
    MappedFile mapped;
  };

  std::shared_ptr<File const> open(std::string const& location);

  std::filesystem::path model_;
  std::map<std::string, std::shared_ptr<File const>> files_{};
};

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <tenon/core/error.hpp>

namespace tenon::internal::onnx {

TENON_RUNTIME void Source::charge(std::uint64_t bytes) {
  if (bytes > memory_left_) refuse({}, "a model that fits in the memory allowed for it", "more");
  memory_left_ -= bytes;
}

TENON_RUNTIME void Source::refuse(std::string_view what, std::string_view expected,
                                  std::string_view got) const {
  fail<FileError>({reading, what, expected, got, name_});
}

TENON_RUNTIME void Source::refuse_at(char const* at, std::string_view expected,
                                     std::string_view got) const {
  std::string const where = name_ + ", byte " + std::to_string(at - bytes_.data());
  fail<FileError>({reading, {}, expected, got, where});
}

/// A location as a path: it is UTF-8, whatever the encoding of the system.
TENON_RUNTIME std::filesystem::path path_of(std::string_view location) {
  return std::u8string(location.begin(), location.end());
}

/// Whether a location names a file in the folder or below it, with the separators of any system.
TENON_RUNTIME bool is_below(std::string_view location) {
  constexpr std::string_view separators = "/\\";
  bool const has_root =
      path_of(location).has_root_path() || separators.find(location.front()) != separators.npos;
  if (has_root || location.find('\0') != location.npos) return false;
  while (true) {
    std::size_t const end = location.find_first_of(separators);
    if (location.substr(0, end) == "..") return false;
    if (end == location.npos) return true;
    location.remove_prefix(end + 1);
  }
}

TENON_RUNTIME std::shared_ptr<ExternalFiles::File const> ExternalFiles::open(
    std::string const& location) {
  auto& file = files_[location];
  if (!file) file = std::make_shared<File const>(model_.parent_path() / path_of(location));
  return file;
}

TENON_RUNTIME Bytes ExternalFiles::bytes(Source const& source, std::string_view tensor,
                                         ExternalData const& data) {
  if (data.location.empty() || !is_below(data.location))
    source.refuse(tensor, "external data in the folder of the model",
                  "'" + escaped(data.location) + "'");
  if (!is_beside(model_.parent_path() / path_of(data.location), model_))
    source.refuse(tensor, "external data in the folder of the model",
                  "'" + escaped(data.location) + "', a link to another");
  auto file = open(data.location);
  std::uint64_t const size = file->file.size();
  if (data.offset > size || data.length > size - data.offset)
    source.refuse(tensor, "external data within the " + std::to_string(size) + " bytes of its file",
                  std::to_string(data.length) + " bytes from " + std::to_string(data.offset));
  auto const length = static_cast<std::size_t>(data.length);
  std::span const all(file->mapped.data(), static_cast<std::size_t>(size));
  return {all.subspan(static_cast<std::size_t>(data.offset), length), std::move(file)};
}

}  // namespace tenon::internal::onnx

#endif
