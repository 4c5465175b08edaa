#pragma once

#include <bit>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/item.hpp>
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

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/save.ipp>
#endif
