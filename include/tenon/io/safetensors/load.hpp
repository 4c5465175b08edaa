#pragma once

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
#include <tenon/io/safetensors/leaf_reader.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal {

namespace safetensors {

/// Reads the leaves of trees from a file, or from the files of an index.
class TreeReader {
 public:
  TreeReader(Contents const& contents, LoadOptions options)
      : contents_(contents), options_(std::move(options)) {}

  /// The tree with the elements of the file. All checks come before the first read.
  template <class Tree>
  Tree read(Tree const& prototype) const {
    check_tree<Tree>();
    check(prototype);
    Tree tree = tree::map<tree::Stored>(
        [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) -> Leaf {
          if constexpr (is_storable<Leaf>) return read_leaf(name_of(path), leaf);
          else return leaf;
        },
        prototype);
    tree::SizeCheck("load", contents_.name())(tree);
    return tree;
  }

 private:
  /// Checks that every leaf has an entry that fits, and every entry a leaf.
  template <class Tree>
  void check(Tree const& prototype) const {
    std::vector<std::string> found;
    LeafCheck const check(contents_.header(), options_, contents_.name());
    tree::for_each<tree::Stored>(
        [&]<class Leaf>(tree::Path const& path, Leaf const&) {
          check_storable<Leaf>();
          if constexpr (is_storable<Leaf>) {
            std::string name = name_of(path);
            bool const has = check.leaf(name, dtype_in_file<Leaf>(), shape_in_file<Leaf>());
            if (has) found.push_back(std::move(name));
          }
        },
        prototype);
    check.others(std::move(found));
  }

  template <class Leaf>
  Leaf read_leaf(std::string const& name, Leaf const& before) const {
    Entry const* const entry = find_entry(contents_.header(), name);
    return entry ? LeafReader(contents_).read<Leaf>(name, *entry) : before;
  }

  std::string name_of(tree::Path const& path) const {
    return name_in_file(entry_name(path), options_);
  }

  Contents const& contents_;
  LoadOptions options_;
};

/// The metadata without the specs that `save` adds.
Metadata users_metadata(Header const& header);

}  // namespace safetensors

/// Loads a tree of a type from a safetensors file of any origin, or from the files of an index
/// (`model.safetensors.index.json`). Run-time sizes are those of the
/// file, and vectors and optionals that `Tree()` leaves empty get the elements that the names in
/// the file imply; tensors on a device are copied there. Checked before anything is read: the file
/// itself, that each leaf of the tree has an entry and each entry a leaf, dtypes, sizes, bounds,
/// and the names of axes if the file has them. Throws `FileError`, or `ShapeError` for axes that do
/// not fit, also where axes of one name in one struct differ. PyTorch: `torch.load`.
template <class Tree>
Tree load(std::filesystem::path const& path, LoadOptions options = {}) {
  safetensors::Contents const contents(path);
  Tree prototype{};
  safetensors::Grower(contents.header(), options).grow("", prototype);
  return safetensors::TreeReader(contents, std::move(options)).read(prototype);
}

/// The same with the structure of another tree: it determines the sizes of vectors and which
/// optionals have a value, and fields that are not in files (strings, for example) are copied from
/// it.
template <class Tree>
Tree load(std::filesystem::path const& path, Tree const& prototype, LoadOptions options = {}) {
  return safetensors::TreeReader(safetensors::Contents(path), std::move(options)).read(prototype);
}

/// The metadata of a safetensors file, without the specs that `save` adds. Throws `FileError`.
/// Python: `safetensors.safe_open(path, "pt").metadata()`.
Metadata load_metadata(std::filesystem::path const& path);

/// The contents of a safetensors file or of an index: names, each with dtype and axes as `float32
/// "in=784 out=10"`. Axes have names if Tenon wrote the file. Throws `FileError`.
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
