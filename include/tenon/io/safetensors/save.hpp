#pragma once

#include <bit>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal {

namespace safetensors {

static_assert(std::endian::native == std::endian::little,
              "tenon::safetensors: files hold little-endian numbers, and so must the machine");

/// Sorts by decreasing element size, stably.
void sort_items(std::vector<Item>& items);

template <class Leaf>
Item item_of(std::string name, Leaf const& leaf) {
  return {std::move(name),
          &dtype_in_file<Leaf>(),
          sizes_in_file(leaf),
          Form<Leaf>::data(leaf),
          bytes_in_file(leaf),
          bringer_of<Leaf>(),
          std::string(format(shape_in_file<Leaf>()).view())};
}

/// A spec as files have it: a size in names is only that of the program that saved, `t=t-1` is `t`.
std::string stored_spec(std::string_view spec);

/// Adds the spec of an item, unless it has no axes.
void add_spec(Metadata& metadata, Item const& item);

/// The leaves of a tree, largest elements first, so that each is aligned to its element size; their
/// specs are added to the metadata.
template <class Tree>
std::vector<Item> items_of(Tree const& tree, Metadata& metadata) {
  std::vector<Item> items;
  tree::for_each<tree::Stored>(
      [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) {
        check_storable<Leaf>();
        if constexpr (is_storable<Leaf>) {
          items.push_back(item_of(entry_name(path), leaf));
          add_spec(metadata, items.back());
        }
      },
      tree);
  sort_items(items);
  return items;
}

/// Metadata must be UTF-8 and must not use the keys that Tenon reserves.
void check_metadata(Metadata const& metadata, std::string const& where);

/// Atomically writes a file with these items.
void write_items(std::filesystem::path const& path, std::vector<Item> const& items,
                 Metadata const& metadata);

}  // namespace safetensors

/// Saves a tree (a model: a plain struct of tensors, nested; a tensor) as a safetensors file that
/// PyTorch, JAX and NumPy can read. Entries are named by their paths, `blocks.0.query.weight`;
/// numbers are tensors without axes, a `Key` two words; `Frozen` parts are stored too. Devices are
/// not stored. Specs are added to the metadata, as `tenon.spec.<path>`. The file is written
/// atomically, also in case of a power failure. Throws `FileError`, `ValueError` for metadata that
/// are not UTF-8, and `ShapeError` where two run-time axes of one struct have one name and differ
/// in size. PyTorch: `torch.save`.
template <class Tree>
void save(std::filesystem::path const& path, Tree const& tree, Metadata metadata = {}) {
  safetensors::check_tree<Tree>();
  tree::SizeCheck("save", path.string())(tree);
  safetensors::check_metadata(metadata, path.string());
  auto const items = safetensors::items_of(tree, metadata);
  safetensors::write_items(path, items, metadata);
}

}  // namespace tenon::internal

namespace tenon {

using internal::save;

}  // namespace tenon

namespace tenon::safetensors {

/// Tensors by name, to be saved in one safetensors file: `Writer().add("fc1.weight",
/// w).save(path)`. Python: `safetensors.numpy.save_file`.
class Writer {
 public:
  /// Adds a tensor, the value of an expression, a number or a `Key`; a tensor is not copied.
  template <class X>
  Writer& add(std::string name, X const& x) {
    if constexpr (Expression<X> && !TensorType<X>) {
      return add(std::move(name), eval(x));
    } else {
      internal::safetensors::check_storable<X>();
      auto kept = std::make_shared<X const>(x);
      items_.push_back(internal::safetensors::item_of(std::move(name), *kept));
      kept_.push_back(std::move(kept));
      return *this;
    }
  }

  /// Writes the file atomically, as `save` does. Throws `FileError`, and `ValueError` where a name
  /// stands twice or a text is not UTF-8.
  void save(std::filesystem::path const& path, Metadata metadata = {}) const;

 private:
  std::vector<internal::safetensors::Item> items_{};
  std::vector<std::shared_ptr<void const>> kept_{};
};

}  // namespace tenon::safetensors

#if TENON_DEFINES_RUNTIME

#include <set>

#include <tenon/core/error.hpp>
#include <tenon/core/language/word.hpp>
#include <tenon/core/stable_sort.hpp>
#include <tenon/io/atomic_file.hpp>
#include <tenon/io/json.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal {

namespace safetensors {

TENON_RUNTIME void sort_items(std::vector<Item>& items) {
  stable_sort(items, [](Item const& a, Item const& b) { return a.dtype->bits > b.dtype->bits; });
}

TENON_RUNTIME std::string stored_spec(std::string_view spec) {
  std::string text;
  for (auto word = next_word(spec); !word.empty(); word = next_word(spec)) {
    std::size_t const at = (std::min)(word.find('='), word.size() - 1);
    std::string_view const size = word.substr(at + 1);
    bool const is_stored =
        leading_digits(size).size() == size.size() || size.find("..") != size.npos;
    text.append(text.empty() ? "" : " ").append(is_stored ? word : word.substr(0, at));
  }
  return text;
}

TENON_RUNTIME void add_spec(Metadata& metadata, Item const& item) {
  if (!item.spec.empty()) metadata[std::string(spec_key) + item.name] = stored_spec(item.spec);
}

TENON_RUNTIME void check_metadata(Metadata const& metadata, std::string const& where) {
  for (auto const& [name, text] : metadata) {
    if (!is_utf8(name))
      fail<ValueError>({"save", "metadata", "names of UTF-8", "other bytes", where});
    if (!is_utf8(text)) fail<ValueError>({"save", name, "a text of UTF-8", "other bytes", where});
    if (name.starts_with(spec_key)) {
      fail<ValueError>(
          {"save", name, "a name that Tenon does not use itself", "tenon.spec", where});
    }
  }
}

TENON_RUNTIME std::string metadata_text(Metadata const& metadata) {
  std::string text;
  for (auto const& [name, value] : metadata) {
    text.append(text.empty() ? "" : ",").append(json::quoted(name) + ":" + json::quoted(value));
  }
  return json::quoted(metadata_name) + ":{" + text + "}";
}

TENON_RUNTIME std::string entry_text(Item const& item, std::uint64_t begin) {
  std::string sizes;
  for (std::int64_t const size : item.sizes) {
    sizes.append(sizes.empty() ? "" : ",").append(std::to_string(size));
  }
  return json::quoted(item.name) + ":{\"dtype\":" + json::quoted(item.dtype->name) +
         ",\"shape\":[" + sizes + "],\"data_offsets\":[" + std::to_string(begin) + "," +
         std::to_string(begin + item.bytes) + "]}";
}

/// Everything before the data: the length of the header and the header, padded to 8 bytes.
TENON_RUNTIME std::string head_of(std::vector<Item> const& items, Metadata const& metadata) {
  std::string text = metadata.empty() ? "" : metadata_text(metadata);
  std::uint64_t begin = 0;
  for (Item const& item : items) {
    text.append(text.empty() ? "" : ",").append(entry_text(item, begin));
    begin += item.bytes;
  }
  text = "{" + text + "}";
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string length;
  for (int i = 0; i < 64; i += 8) length += static_cast<char>(text.size() >> i & 255u);
  return length + text;
}

/// Rejects items that `load` would reject.
TENON_RUNTIME void check_items(std::vector<Item> const& items, std::size_t head,
                               std::string const& where) {
  for (Item const& item : items) {
    if (item.name == metadata_name) {
      fail<ValueError>(
          {"save", item.name, "a field of another name", "the name of the metadata", where});
    }
  }
  if (head > most_header_bytes) {
    std::string const got = std::to_string(head) + " bytes";
    fail<FileError>({"save", {}, "a header of at most 100000000 bytes", got, where});
  }
}

TENON_RUNTIME void write_items(std::filesystem::path const& path, std::vector<Item> const& items,
                               Metadata const& metadata) {
  std::string const head = head_of(items, metadata);
  check_items(items, head.size(), path.string());
  AtomicFile file(path);
  file.write(head);
  for (Item const& item : items) {  // those of a device are copied one at a time
    HostElements const elements(item);
    file.write(elements.data(), elements.bytes());
  }
  file.commit();
}

}  // namespace safetensors

}  // namespace tenon::internal

namespace tenon::safetensors {

TENON_RUNTIME void Writer::save(std::filesystem::path const& path, Metadata metadata) const {
  internal::safetensors::check_metadata(metadata, path.string());
  std::set<std::string> names;
  for (auto const& item : items_) {
    auto const refuse = [&](std::string const& expected, std::string const& got) {
      internal::fail<ValueError>({"save", item.name, expected, got, path.string()});
    };
    if (!internal::is_utf8(item.name)) refuse("a name of UTF-8", "other bytes");
    if (!names.insert(item.name).second) refuse("every name once", "it again");
  }
  auto items = items_;
  for (auto const& item : items) internal::safetensors::add_spec(metadata, item);
  internal::safetensors::sort_items(items);
  internal::safetensors::write_items(path, items, metadata);
}

}  // namespace tenon::safetensors

#endif
