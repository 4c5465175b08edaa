#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/io/safetensors/axes.hpp>
#include <tenon/io/safetensors/grow.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal::safetensors {

/// A leaf of the given sizes; `read(T*)` sets its elements on the host.
template <class Leaf, class F>
Leaf leaf_of(Sizes const& sizes, F const& read) {
  if constexpr (is_tensor<Leaf>) {
    Leaf leaf = Leaf::uninitialised(sizes);
    leaf.set_elements(read);
    return leaf;
  } else if constexpr (tree::is_key<Leaf>) {
    op::PhiloxKey words{};
    read(words.data());
    return Key(words);
  } else {
    Leaf leaf{};
    read(&leaf);
    return leaf;
  }
}

/// The members of a `File` below for a format in which leaves have the axes that they have in
/// memory, and that casts no elements.
struct PlainFile {
  static constexpr bool casts = false;

  template <class Leaf>
  static Shape shape() {
    return Form<Leaf>::shape();
  }
  template <class Leaf>
  static Sizes sizes(Entry const& entry) {
    return sizes_of(entry);
  }
};

/// Reads trees from a file with named tensors. A `File` has their names, dtypes and sizes
/// (`index()`), its own name and that of the operation in messages, and for a leaf its dtype, its
/// axes and its run-time sizes in the file; `check_dtype(name)` throws where it cannot be read, and
/// `read(name, elements)` reads it. `casts` is whether it reads floating dtypes as others.
template <class File>
class TreeReader {
 public:
  /// Throws `ValueError` for `cast` where the format does not have it.
  TreeReader(File const& file, LoadOptions options) : file_(file), options_(std::move(options)) {
    if (options_.cast && !File::casts)
      fail<ValueError>({file_.who(), "cast", "no such option", "it", file_.name()});
  }

  /// The tree with the elements of the file. All checks come before the first read.
  template <class Tree>
  Tree read(Tree const& prototype) const {
    File::template check_tree<Tree>();
    check(prototype);
    Tree tree = tree::map<tree::Stored>(
        [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) -> Leaf {
          if constexpr (is_storable<Leaf>) return read_leaf(name_of(path), leaf);
          else return leaf;
        },
        prototype);
    tree::SizeCheck(file_.who(), file_.name())(tree);
    return tree;
  }

  /// The same of a tree whose structure follows from the names in the file.
  template <class Tree>
  Tree read() const {
    File::template check_tree<Tree>();
    Tree prototype{};
    Grower(file_.index(), options_).grow("", prototype);
    return read(prototype);
  }

 private:
  /// Checks that every leaf has an entry that fits, and every entry a leaf.
  template <class Tree>
  void check(Tree const& prototype) const {
    std::vector<std::string> found;
    LeafCheck const check(file_.index(), options_, file_.name(), file_.who());
    tree::for_each<tree::Stored>(
        [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) {
          File::template check_storable<Leaf>();
          if constexpr (is_storable<Leaf>) {
            std::string name = name_of(path);
            file_.check_dtype(name);
            bool const has = check.leaf(name, File::template dtype<Leaf>(), expected_axes(leaf));
            if (has) found.push_back(std::move(name));
          }
        },
        prototype);
    check.others(std::move(found));
  }

  template <class Leaf>
  Shape expected_axes(Leaf const& leaf) const {
    Shape const axes = File::template shape<Leaf>();
    if constexpr (is_tensor<Leaf>) {
      if (options_.same_sizes && leaf.size() > 0) return with_sizes(axes, leaf.sizes(), Leaf::rank);
    }
    return axes;
  }

  template <class Leaf>
  Leaf read_leaf(std::string const& name, Leaf const& before) const {
    Entry const* const found = find_entry(file_.index(), name);
    if (!found) return before;
    return leaf_of<Leaf>(File::template sizes<Leaf>(*found),
                         [&](auto* elements) { file_.read(name, elements); });
  }

  std::string name_of(tree::Path const& path) const {
    return name_in_file(entry_name(path), options_);
  }

  File const& file_;
  LoadOptions options_;
};

}  // namespace tenon::internal::safetensors
