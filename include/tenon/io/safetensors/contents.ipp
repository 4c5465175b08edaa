#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/json/value.hpp>
#include <tenon/io/safetensors/contents.hpp>
#include <tenon/io/safetensors/layout.hpp>
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

TENON_RUNTIME Contents::Contents(std::filesystem::path const& path) : name_(path.string()) {
  if (path.extension() == ".json") {
    open_index(path);
  } else {
    open(path);
    header_ = read_header(files_[0]->file());
    data_at_.push_back(header_.data_at);
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
    if (!entry) fail<FileError>({"load", name, "a tensor in " + escaped(file), "none", name_});
    entry.mapped().file = static_cast<std::uint32_t>(files_.size() - 1);
    header_.entries.insert(std::move(entry));
  }
  if (!part.entries.empty()) {
    std::string const got = "a tensor in " + escaped(file);
    fail<FileError>({"load", part.entries.begin()->first, "a file in the index", got, name_});
  }
  header_.metadata.merge(part.metadata);
}

TENON_RUNTIME void Contents::read(Entry const& entry, std::uint64_t offset, void* to,
                                  std::size_t bytes) const {
  files_[entry.file]->file().read(data_at_[entry.file] + entry.begin + offset, to, bytes);
}

TENON_RUNTIME std::byte const* Contents::mapped(Entry const& entry) const {
  return files_[entry.file]->at(data_at_[entry.file] + entry.begin);
}

}  // namespace tenon::internal::safetensors
