#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>

namespace tenon::internal::safetensors {

/// Reads and validates everything in a file except the elements of its tensors. Throws `FileError`.
Header read_header(InputFile const& file);

/// The path of a file that an index names. Throws `FileError` for a link out of the folder of the
/// index.
std::filesystem::path path_of_part(std::string const& file, std::filesystem::path const& index);

/// Opens a safetensors file, or all files that an index names, whose entries are one header then.
/// An index is a file `*.json` as Hugging Face writes it, with the file of each entry:
/// `{"weight_map": {"wte.weight": "model-00001-of-00002.safetensors"}}`. Floating
/// dtypes are read as others, rounded to nearest even. Throws `FileError`.
std::shared_ptr<TensorFile const> open_file(std::filesystem::path const& path);

/// The elements of an entry of such a file, which is mapped when they are first asked for.
std::byte const* mapped(TensorFile const& file, Entry const& entry);

}  // namespace tenon::internal::safetensors

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/half.hpp>
#include <tenon/io/json/value.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal::safetensors {

/// The length of the header, from the first eight bytes of a file. Throws `FileError`.
TENON_RUNTIME std::uint64_t read_header_length(InputFile const& file) {
  auto const refuse = [&](std::string const& expected, std::uint64_t got) {
    fail<FileError>({"load", {}, expected, std::to_string(got) + " bytes", file.name()});
  };
  if (file.size() < 8) refuse("a safetensors file, of at least 8 bytes", file.size());
  unsigned char bytes[8];
  file.read(0, bytes, sizeof bytes);
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | bytes[i];
  if (length > most_header_bytes) refuse("a header of at most 100000000 bytes", length);
  std::uint64_t const rest = file.size() - 8;
  if (length > rest)
    refuse("a header of at most " + std::to_string(rest) + " bytes, the rest of the file", length);
  return length;
}

TENON_RUNTIME Header read_header(InputFile const& file) {
  std::uint64_t const length = read_header_length(file);
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read(8, text.data(), text.size());
  if (!is_utf8(text)) {
    std::string const at = ", byte " + std::to_string(utf8_end(text)) + " of the header";
    fail<FileError>({"load", {}, "a header of UTF-8", "other bytes", file.name() + at});
  }
  Header header = read_entries(text, file.name());
  header.data_at = 8 + length;
  check_layout(header, file.name(), file.size() - header.data_at);
  return header;
}

/// An open file, which is mapped when its memory is first asked for, by any thread.
class LazyMapping {
 public:
  explicit LazyMapping(std::filesystem::path const& path) : file_(path) {}

  InputFile const& file() const { return file_; }

  /// The bytes from `offset` on, in a file that has at least one. Throws `FileError`.
  std::byte const* at(std::uint64_t offset) const {
    std::call_once(once_, [&] { mapped_ = std::make_unique<MappedFile>(file_); });
    return mapped_->data() + offset;
  }

 private:
  InputFile file_;
  mutable std::once_flag once_{};
  mutable std::unique_ptr<MappedFile> mapped_{};
};

class Contents final : public TensorFile {
 public:
  explicit Contents(std::filesystem::path const& path);

  void read(std::string const& name, StoredDtype const& dtype, void* to) const override;

  std::byte const* mapped(Entry const& entry) const;

 private:
  void open(std::filesystem::path const& path);
  void open_index(std::filesystem::path const& path);
  void open_part(std::filesystem::path const& path, std::string const& file,
                 std::vector<std::string> const& names);

  /// Reads some bytes of the elements of an entry.
  void read_bytes(Entry const& entry, std::uint64_t offset, void* to, std::size_t bytes) const;

  void read_cast(Entry const& entry, StoredDtype const& dtype, void* to) const;
  template <class From, class T>
  void read_cast_from(Entry const& entry, T* to) const;

  std::vector<std::unique_ptr<LazyMapping>> files_{};
  std::vector<std::uint64_t> data_at_{};
};

TENON_RUNTIME Contents::Contents(std::filesystem::path const& path)
    : TensorFile(path.string(), "load") {
  if (path.extension() == ".json") {
    open_index(path);
  } else {
    open(path);
    index_ = read_header(files_[0]->file());
    data_at_.push_back(index_.data_at);
  }
}

TENON_RUNTIME void Contents::open(std::filesystem::path const& path) {
  files_.push_back(std::make_unique<LazyMapping>(path));
}

/// A name of a file in the folder of the index: no path leads elsewhere.
TENON_RUNTIME std::string const& file_in_folder(tenon::json::Value const& value) {
  std::string const& name = value.string();
  bool const is_plain = name.find_first_of(std::string_view("/\\:\0", 4)) == name.npos;
  if (!is_plain || name.empty() || name == "." || name == "..")
    value.refuse("the name of a file in the folder of the index");
  return name;
}

TENON_RUNTIME std::filesystem::path path_of_part(std::string const& file,
                                                 std::filesystem::path const& index) {
  auto part = index.parent_path() / file;
  if (is_beside(part, index)) return part;
  std::string const got = "'" + escaped(file) + "', a link to another";
  fail<FileError>({"load", {}, "files in the folder of the index", got, index.string()});
}

TENON_RUNTIME void Contents::open_index(std::filesystem::path const& path) {
  tenon::json::Value const index = load_json(path);
  std::map<std::string, std::vector<std::string>> files;
  for (auto const& entry : index.at("weight_map").members())
    files[file_in_folder(entry)].emplace_back(entry.key());
  for (auto const& [file, names] : files) open_part(path_of_part(file, path), file, names);
}

/// The entries of one file of an index must be those that the index names.
TENON_RUNTIME void Contents::open_part(std::filesystem::path const& path, std::string const& file,
                                       std::vector<std::string> const& names) {
  open(path);
  Header part = read_header(files_.back()->file());
  data_at_.push_back(part.data_at);
  for (std::string const& name : names) {
    auto entry = part.entries.extract(name);
    if (!entry)
      fail<FileError>({"load", name, "a tensor in " + escaped(file), "none", this->name()});
    entry.mapped().file = static_cast<std::uint32_t>(files_.size() - 1);
    index_.entries.insert(std::move(entry));
  }
  if (!part.entries.empty()) {
    std::string const got = "a tensor in " + escaped(file);
    fail<FileError>({"load", part.entries.begin()->first, "a file in the index", got, name()});
  }
  index_.metadata.merge(part.metadata);
}

TENON_RUNTIME void Contents::read_bytes(Entry const& entry, std::uint64_t offset, void* to,
                                        std::size_t bytes) const {
  files_[entry.file]->file().read(data_at_[entry.file] + entry.begin + offset, to, bytes);
}

TENON_RUNTIME void Contents::read(std::string const& name, StoredDtype const& dtype,
                                  void* to) const {
  Entry const& entry = *find_entry(index(), name);
  if (entry.dtype != &dtype) return read_cast(entry, dtype, to);
  std::size_t const bytes = entry.end - entry.begin;
  read_bytes(entry, 0, to, bytes);
  if (dtype.dtype == "bool") check_bools(name, static_cast<std::byte*>(to), bytes, this->name());
}

/// Calls `f` with a number of a floating dtype.
template <class F>
void with_floating(StoredDtype const& dtype, F const& f) {
  if (dtype.dtype == "float32") f(float{});
  else if (dtype.dtype == "float64") f(double{});
  else if (dtype.dtype == "float16") f(float16{});
  else if (dtype.dtype == "float8_e4m3fn") f(float8_e4m3fn{});
  else if (dtype.dtype == "float8_e5m2") f(float8_e5m2{});
  else f(bfloat16{});
}

/// A floating number in another dtype, rounded to nearest even.
template <class T, class From>
T rounded_to(From value) {
  if constexpr (std::is_same_v<T, From>) return value;
  else if constexpr (NarrowType<From> && NarrowType<T>) return T(static_cast<float>(value));
  else return static_cast<T>(value);
}

TENON_RUNTIME void Contents::read_cast(Entry const& entry, StoredDtype const& dtype,
                                       void* to) const {
  with_floating(dtype, [&]<class T>(T) {
    with_floating(*entry.dtype,
                  [&]<class From>(From) { read_cast_from<From>(entry, static_cast<T*>(to)); });
  });
}

template <class From, class T>
void Contents::read_cast_from(Entry const& entry, T* to) const {
  constexpr std::size_t at_once = 1 << 14;
  std::size_t const count = (entry.end - entry.begin) / sizeof(From);
  std::vector<From> part((std::min)(count, at_once));
  for (std::size_t done = 0; done < count; done += part.size()) {
    part.resize((std::min)(count - done, at_once));
    read_bytes(entry, done * sizeof(From), part.data(), part.size() * sizeof(From));
    for (std::size_t i = 0; i < part.size(); ++i) to[done + i] = rounded_to<T>(part[i]);
  }
}

TENON_RUNTIME std::byte const* Contents::mapped(Entry const& entry) const {
  return files_[entry.file]->at(data_at_[entry.file] + entry.begin);
}

TENON_RUNTIME std::shared_ptr<TensorFile const> open_file(std::filesystem::path const& path) {
  return std::make_shared<Contents const>(path);
}

TENON_RUNTIME std::byte const* mapped(TensorFile const& file, Entry const& entry) {
  return static_cast<Contents const&>(file).mapped(entry);
}

}  // namespace tenon::internal::safetensors

#endif
