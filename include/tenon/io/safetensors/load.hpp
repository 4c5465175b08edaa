#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tenon/io/safetensors/axes.hpp>
#include <tenon/io/safetensors/contents.hpp>
#include <tenon/io/safetensors/grow.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal {

namespace safetensors {

static_assert(std::endian::native == std::endian::little,
              "tenon::safetensors: files hold little-endian numbers, and so must the machine");

/// Reads the leaves of trees from one file.
class TreeReader {
 public:
  TreeReader(InputFile const& file, Header const& header, LoadOptions options)
      : file_(file), header_(header), options_(options) {}

  /// The tree with the elements of the file. All checks come before the first read.
  template <class Tree>
  Tree read(Tree const& prototype) const {
    check_tree<Tree>();
    check(prototype);
    Tree tree = tree::map<tree::Stored>(
        [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) -> Leaf {
          if constexpr (is_storable<Leaf>) return read_leaf(entry_name(path), leaf);
          else return leaf;
        },
        prototype);
    tree::SizeCheck("load", file_.name())(tree);
    return tree;
  }

 private:
  /// Checks that every leaf has an entry that fits, and every entry a leaf.
  template <class Tree>
  void check(Tree const& prototype) const {
    std::vector<std::string> found;
    LeafCheck const check(header_, options_, file_.name());
    tree::for_each<tree::Stored>(
        [&]<class Leaf>(tree::Path const& path, Leaf const&) {
          check_storable<Leaf>();
          if constexpr (is_storable<Leaf>) {
            std::string name = entry_name(path);
            bool const has = check.leaf(name, dtype_in_file<Leaf>(), shape_in_file<Leaf>());
            if (has) found.push_back(std::move(name));
          }
        },
        prototype);
    check.others(std::move(found));
  }

  template <class Leaf>
  Leaf read_leaf(std::string const& name, Leaf const& before) const {
    Entry const* const found = find_entry(header_, name);
    if (!found) return before;
    Entry const& entry = *found;
    if constexpr (is_tensor<Leaf>) {
      Leaf leaf = Leaf::uninitialised(leaf_sizes<Leaf>(entry));
      leaf.set_elements([&](auto* to) { read_elements(name, entry, to); });
      return leaf;
    } else if constexpr (tree::is_key<Leaf>) {
      op::PhiloxKey words{};
      read_elements(name, entry, words.data());
      return Key(words);
    } else {
      Leaf leaf{};
      read_elements(name, entry, &leaf);
      return leaf;
    }
  }

  /// Without the axis of the parts of a complex128.
  template <class Leaf>
  static Sizes leaf_sizes(Entry const& entry) {
    Sizes sizes = sizes_of(entry);
    for (int i = Leaf::rank; i < max_rank; ++i) at(sizes, i) = 1;
    return sizes;
  }

  template <class T>
  void read_elements(std::string const& name, Entry const& entry, T* to) const {
    std::size_t const bytes = entry.end - entry.begin;
    file_.read(header_.data_at + entry.begin, to, bytes);
    if constexpr (std::same_as<T, bool>)
      check_bools(name, reinterpret_cast<std::byte*>(to), bytes, file_.name());
  }

  InputFile const& file_;
  Header const& header_;
  LoadOptions options_;
};

}  // namespace safetensors

/// Loads a tree of a type from a safetensors file of any origin. Run-time sizes are those of the
/// file, and vectors and optionals that `Tree()` leaves empty get the elements that the names in
/// the file imply; tensors on a device are copied there. Checked before anything is read: the file
/// itself, that each leaf of the tree has an entry and each entry a leaf, dtypes, sizes, bounds,
/// and the names of axes if the file has them. Throws `FileError`, or `ShapeError` for axes that do
/// not fit, also where axes of one name in one struct differ. PyTorch: `torch.load`.
template <class Tree>
Tree load(std::filesystem::path const& path, LoadOptions options = {}) {
  InputFile const file(path);
  safetensors::Header const header = safetensors::read_header(file);
  Tree prototype{};
  safetensors::Grower(header).grow("", prototype);
  return safetensors::TreeReader(file, header, options).read(prototype);
}

/// The same with the structure of another tree: it determines the sizes of vectors and which
/// optionals have a value, and fields that are not in files (strings, for example) are copied from
/// it.
template <class Tree>
Tree load(std::filesystem::path const& path, Tree const& prototype, LoadOptions options = {}) {
  InputFile const file(path);
  safetensors::Header const header = safetensors::read_header(file);
  return safetensors::TreeReader(file, header, options).read(prototype);
}

/// The metadata of a safetensors file, without the specs that `save` adds. Throws `FileError`.
/// Python: `safetensors.safe_open(path, "pt").metadata()`.
Metadata load_metadata(std::filesystem::path const& path);

/// The contents of a safetensors file: names, each with dtype and axes as `float32 "in=784
/// out=10"`. Axes have names if Tenon wrote the file. Throws `FileError`.
std::map<std::string, std::string> load_contents(std::filesystem::path const& path);

}  // namespace tenon::internal

namespace tenon {

using internal::load;
using internal::load_contents;
using internal::load_metadata;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/load.ipp>
#endif
