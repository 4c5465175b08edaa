#pragma once

#include <string>
#include <utility>

#include <tenon/distributed/checkpoint/index.hpp>
#include <tenon/io/json.hpp>

/// The index of a checkpoint as JSON. `weight_map` is that of Hugging Face's sharded models: the
/// file of each entry.
namespace tenon::internal::checkpoints {

inline constexpr std::string_view index_name = "index.json";

/// Appends an entry of an object or an element of an array.
inline void add(std::string& list, std::string const& one) {
  list.append(list.empty() ? "" : ",\n").append(one);
}

inline std::string text_of(StoredBox const& stored) {
  std::string const print = stored.print.empty() ? "" : ",\"print\":" + json::quoted(stored.print);
  return "{\"begin\":[" + joined(stored.box.begin, ",") + "],\"extent\":[" +
         joined(stored.box.extent, ",") + "]" + print + "}";
}

inline std::string text_of(safetensors::Entry const& entry, std::string const& axes,
                           StoredBoxes const& boxes) {
  std::string list;
  for (StoredBox const& stored : boxes) add(list, text_of(stored));
  return "{\"dtype\":" + json::quoted(entry.dtype->name) + ",\"shape\":[" +
         joined(entry.sizes, ",") + "],\"axes\":" + json::quoted(axes) + ",\"boxes\":[" + list +
         "]}";
}

inline std::string text_of(Index const& index) {
  std::string places, tensors, notes;
  std::uint64_t total = 0;
  for (auto const& [name, entry] : index.whole.entries) {
    StoredBoxes const& boxes = index.boxes.at(name);
    total += bytes_of(entry, entry.sizes);
    std::string const axes = axes_text(index.whole, name);
    add(tensors, json::quoted(name) + ":" + text_of(entry, axes, boxes));
    for (StoredBox const& stored : boxes)
      if (!stored.file.empty())
        add(places, json::quoted(entry_name(name, stored.box, entry.sizes)) + ":" +
                        json::quoted(stored.file));
  }
  for (auto const& [name, text] : index.whole.metadata)
    if (!name.starts_with(safetensors::spec_key))
      notes.append(",").append(json::quoted(name)).append(":").append(json::quoted(text));
  return "{\"metadata\":{\"total_size\":" + std::to_string(total) + notes +
         "},\n\"weight_map\":{\n" + places + "},\n\"tensors\":{\n" + tensors + "}}\n";
}

/// Reads an index. Throws `FileError`.
class IndexReader {
 public:
  /// `where` is the file name for error messages.
  IndexReader(std::string_view text, std::string const& where)
      : json_(text, where, "index"), where_(where) {}

  /// Unvalidated: possibly of one rank only, and without files.
  Index read() {
    json_.object([&](std::string const& name) {
      if (name == "metadata") read_metadata();
      else if (name == "weight_map") read_places();
      else if (name == "tensors") read_tensors();
      else json_.refuse("metadata, weight_map or tensors", "'" + name + "'");
    });
    json_.end();
    return std::move(index_);
  }

  /// The index of a complete checkpoint: every box has its file, and boxes cover their tensors.
  Index read_whole() {
    Index index = read();
    for (auto& [name, boxes] : index.boxes) {
      Numbers const& sizes = index.whole.entries.find(name)->second.sizes;
      for (StoredBox& stored : boxes) stored.file = file_of(entry_name(name, stored.box, sizes));
      check_cover<FileError>("load", name, sizes, boxes, where_);
    }
    return index;
  }

 private:
  void read_metadata() {
    json_.object([&](std::string const& name) {
      if (name == "total_size") json_.number();
      else index_.whole.metadata[name] = json_.string();
    });
  }

  void read_places() {
    json_.object([&](std::string const& entry) {
      std::string file = json_.string();
      if (file.empty() || file.find('/') != file.npos || file == "..")
        json_.refuse("the name of a file", "'" + file + "'");
      places_[entry] = std::move(file);
    });
  }

  void read_tensors() {
    json_.object([&](std::string const& name) {
      auto const [place, is_new] = index_.whole.entries.try_emplace(name);
      if (!is_new) json_.refuse("every name once", "'" + name + "' again");
      read_tensor(name, place->second);
    });
  }

  void read_tensor(std::string const& name, safetensors::Entry& entry) {
    StoredBoxes& boxes = index_.boxes[name];
    json_.object([&](std::string const& key) {
      if (key == "dtype") entry.dtype = safetensors::file_dtype_named(json_.string());
      else if (key == "shape") entry.sizes = numbers();
      else if (key == "axes") index_.whole.metadata[axes_key(name)] = json_.string();
      else if (key == "boxes") json_.array([&] { boxes.push_back(box()); });
      else json_.refuse("dtype, shape, axes or boxes", "'" + key + "'");
    });
    if (entry.dtype == nullptr) refuse(name, "a dtype of safetensors");
    if (!safetensors::bytes_of(entry).second) refuse(name, "a shape of less than 2^60 bytes");
    for (StoredBox const& stored : boxes)
      if (!lies_within(stored.box, entry.sizes)) refuse(name, "boxes within its shape");
  }

  static std::string axes_key(std::string const& name) {
    return std::string(safetensors::spec_key).append(name);
  }

  StoredBox box() {
    StoredBox stored;
    json_.object([&](std::string const& key) {
      if (key == "begin") stored.box.begin = numbers();
      else if (key == "extent") stored.box.extent = numbers();
      else if (key == "print") stored.print = json_.string();
      else json_.refuse("begin or extent", "'" + key + "'");
    });
    return stored;
  }

  Numbers numbers() {
    Numbers result;
    json_.array([&] {
      if (result.size() == safetensors::most_axes) json_.refuse("at most 64 axes", "more");
      std::int64_t const number = json_.number();
      if (number > largest_size) json_.refuse("a size of at most 2^53", std::to_string(number));
      result.push_back(number);
    });
    return result;
  }

  std::string file_of(std::string const& entry) const {
    auto const found = places_.find(entry);
    if (found == places_.end())
      fail<FileError>({"load", entry, "a file in the weight_map", "none", where_});
    return found->second;
  }

  [[noreturn]] void refuse(std::string const& name, std::string const& expected) const {
    fail<FileError>({"load", name, expected, "another", where_});
  }

  json::Reader json_;
  std::string where_;
  Index index_{};
  std::map<std::string, std::string> places_{};
};

}  // namespace tenon::internal::checkpoints
