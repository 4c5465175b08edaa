#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/stable_sort.hpp>
#include <tenon/io/atomic_file.hpp>
#include <tenon/io/json.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/tensor/device.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon {

namespace safetensors {

static_assert(std::endian::native == std::endian::little,
              "tenon::safetensors: files hold little-endian numbers, and so must the machine");

/// A leaf on its way to a file.
struct Item {
  std::string name;
  StoredDtype const* dtype;
  std::vector<std::int64_t> sizes;
  void const* data;
  std::size_t bytes;
  void (*bring)(void* to, void const* from, std::size_t bytes);  ///< From a device; null: is here.
};

/// How the elements of a leaf come to the host.
template <class Leaf>
constexpr auto bringer_of() -> decltype(Item::bring) {
  return nullptr;
}
template <TensorType Leaf>
  requires DistantDevice<typename Leaf::device>
constexpr auto bringer_of() -> decltype(Item::bring) {
  return [](void* to, void const* from, std::size_t bytes) {
    Leaf::device::copy_out(to, from, bytes);
  };
}

/// The leaves of a tree, largest elements first, so that each stands at a multiple of its size;
/// their specs go to the metadata.
template <class Tree>
std::vector<Item> items_of(Tree const& tree, Metadata& metadata) {
  std::vector<Item> items;
  tree::for_each<tree::Stored>(
      [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) {
        check_storable<Leaf>();
        if constexpr (is_storable<Leaf>) {
          std::string name = entry_name(path);
          auto const spec = format(shape_in_file<Leaf>());
          if (spec.length > 0) metadata[std::string(spec_key) + name] = spec.view();
          items.push_back({std::move(name), &dtype_in_file<Leaf>(), sizes_in_file(leaf),
                           Form<Leaf>::data(leaf), bytes_in_file(leaf), bringer_of<Leaf>()});
        }
      },
      tree);
  internal::stable_sort(items,
                        [](Item const& a, Item const& b) { return a.dtype->bits > b.dtype->bits; });
  return items;
}

/// What is on a device is brought here one tensor at a time.
inline void write_item(AtomicFile& file, Item const& item) {
  if (item.bring == nullptr || item.bytes == 0) return file.write(item.data, item.bytes);
  std::vector<std::byte> elements(item.bytes);
  item.bring(elements.data(), item.data, item.bytes);
  file.write(elements.data(), elements.size());
}

/// What the file is to say of itself must be text, and leave Tenon's own names alone.
inline void check_metadata(Metadata const& metadata, std::string const& where) {
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

inline std::string metadata_text(Metadata const& metadata) {
  std::string text;
  for (auto const& [name, value] : metadata) {
    text.append(text.empty() ? "" : ",").append(json::quoted(name) + ":" + json::quoted(value));
  }
  return json::quoted(metadata_name) + ":{" + text + "}";
}

inline std::string entry_text(Item const& item, std::uint64_t begin) {
  std::string sizes;
  for (std::int64_t const size : item.sizes) {
    sizes.append(sizes.empty() ? "" : ",").append(std::to_string(size));
  }
  return json::quoted(item.name) + ":{\"dtype\":" + json::quoted(item.dtype->name) +
         ",\"shape\":[" + sizes + "],\"data_offsets\":[" + std::to_string(begin) + "," +
         std::to_string(begin + item.bytes) + "]}";
}

/// All that stands before the data: the length of the header and the header, padded to 8 bytes.
inline std::string head_of(std::vector<Item> const& items, Metadata const& metadata) {
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

/// What a reader would refuse is not written.
inline void check_items(std::vector<Item> const& items, std::size_t head,
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

/// A file of these items, which appears whole or not at all.
inline void write_items(std::filesystem::path const& path, std::vector<Item> const& items,
                        Metadata const& metadata) {
  std::string const head = head_of(items, metadata);
  check_items(items, head.size(), path.string());
  AtomicFile file(path);
  file.write(head);
  for (Item const& item : items) write_item(file, item);
  file.commit();
}

}  // namespace safetensors

/// Saves a tree (a model: a plain struct of tensors, nested; a tensor) as a safetensors file that
/// PyTorch, JAX and NumPy read. Entries are named by their paths, `blocks.0.query.weight`; numbers
/// are tensors without axes, a `Key` two words; `Frozen` parts are stored too. Of the device of a
/// tensor the file says nothing. Specs go to the metadata, as `tenon.spec.<path>`, beside those
/// given. The file appears whole or not at all, also when power fails. Throws `FileError`,
/// `ValueError` for metadata that are not UTF-8, and `ShapeError` where two run-time axes of one
/// struct bear one name and differ in size. As `torch.save`.
template <class Tree>
void save(std::filesystem::path const& path, Tree const& tree, Metadata metadata = {}) {
  safetensors::check_tree<Tree>();
  tree::SizeCheck("save", path.string())(tree);
  safetensors::check_metadata(metadata, path.string());
  auto const items = safetensors::items_of(tree, metadata);
  safetensors::write_items(path, items, metadata);
}

}  // namespace tenon
