#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/io/file.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/lazy_mapping.hpp>

namespace tenon::internal::safetensors {

/// Reads and validates everything in a file except the elements of its tensors. Throws `FileError`.
Header read_header(InputFile const& file);

/// The path of a file that an index names. Throws `FileError` for a link out of the folder of the
/// index.
std::filesystem::path path_of_part(std::string const& file, std::filesystem::path const& index);

/// The entries of a safetensors file, or of all files that an index names, as one header. An index
/// is a file `*.json` as Hugging Face writes it, with the file of each entry: `{"weight_map":
/// {"wte.weight": "model-00001-of-00002.safetensors"}}`. Throws `FileError`.
class Contents {
 public:
  explicit Contents(std::filesystem::path const& path);

  Header const& header() const { return header_; }
  std::string const& name() const { return name_; }

  /// Reads some bytes of the elements of an entry.
  void read(Entry const& entry, std::uint64_t offset, void* to, std::size_t bytes) const;

  /// The elements of an entry in memory.
  std::byte const* mapped(Entry const& entry) const;

 private:
  void open(std::filesystem::path const& path);
  void open_index(std::filesystem::path const& path);
  void open_part(std::filesystem::path const& path, std::string const& file,
                 std::vector<std::string> const& names);

  std::string name_;
  Header header_{};
  std::vector<std::unique_ptr<LazyMapping>> files_{};
  std::vector<std::uint64_t> data_at_{};
};

}  // namespace tenon::internal::safetensors

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/contents.ipp>
#endif
