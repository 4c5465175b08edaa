#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal::safetensors {

/// Gives a default-constructed tree the structure of the names in a file: an empty vector gets as
/// many elements as there are consecutive names (`blocks.0`, `blocks.1`), an empty optional a value
/// if a name begins with its path. Nonempty ones are unchanged. With a function of names: if one of
/// the leaves of the element has an entry.
class Grower {
 public:
  explicit Grower(Header const& header, LoadOptions const& options = {})
      : header_(header), options_(options) {}

  template <class Part>
  void grow(std::string const& name, Part& part) const {
    using tree::Node;
    constexpr Node node = tree::node_of<tree::Stored, Part>;
    if constexpr (node == Node::frozen) {
      grow(name, part.value);
    } else if constexpr (node == Node::record) {
      grow_parts<Part>(tree::PartIndices<Part>(), name, tree::parts(part));
    } else if constexpr (node == Node::array) {
      grow_elements(name, part);
    } else if constexpr (node == Node::vector) {
      add_elements(name, part);
      grow_elements(name, part);
    } else if constexpr (node == Node::optional) {
      add_value(name, part);
      if (part) grow(name, *part);
    }
  }
  template <class Part>
  void grow(std::string const&, Part const&) const {}  // a const field is unchanged

 private:
  template <class Record, std::size_t... i, class Parts>
  void grow_parts(std::index_sequence<i...>, std::string const& name, Parts const& parts) const {
    (grow(below(name, part_name<Record, i>()), tree::part_at<i>(parts)), ...);
  }

  template <class Record, std::size_t i>
  static std::string part_name() {
    std::string const name(tree::part_name<Record, i>());
    return name.empty() ? std::to_string(i) : name;
  }

  template <class Elements>
  void grow_elements(std::string const& name, Elements& elements) const {
    for (std::size_t i = 0; i < elements.size(); ++i)
      grow(below(name, std::to_string(i)), elements[i]);
  }

  template <class Vector>
  void add_elements(std::string const& name, Vector& vector) const {
    if constexpr (std::default_initializable<typename Vector::value_type>) {
      if (!vector.empty()) return;
      while (has<typename Vector::value_type>(below(name, std::to_string(vector.size()))))
        vector.emplace_back();
    }
  }

  template <class Optional>
  void add_value(std::string const& name, Optional& optional) const {
    if constexpr (std::default_initializable<typename Optional::value_type>) {
      if (!optional && has<typename Optional::value_type>(name)) optional.emplace();
    }
  }

  static std::string below(std::string const& name, std::string const& part);

  /// Whether the file has an element of a vector or the value of an optional.
  template <class Part>
  bool has(std::string const& name) const {
    if (!options_.entry_name) return has_prefix(name);
    bool found = false;
    tree::for_each<tree::Stored>(
        [&](tree::Path const& path, auto const&) { found = found || has_leaf(name, path); },
        Part{});
    return found;
  }

  bool has_leaf(std::string const& name, tree::Path const& path) const;

  /// Whether there is an entry with that name, or with it as a prefix path.
  bool has_prefix(std::string const& name) const;

  Header const& header_;
  LoadOptions options_;
};

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

/// An open file with named tensors, of which all but the elements is checked; `who` is the
/// operation in messages.
class TensorFile {
 public:
  TensorFile(TensorFile const&) = delete;
  TensorFile& operator=(TensorFile const&) = delete;
  virtual ~TensorFile() = default;

  /// The names, dtypes and sizes of the tensors.
  Header const& index() const { return index_; }
  std::string const& name() const { return name_; }
  std::string const& who() const { return who_; }

  /// Throws `FileError` for a tensor of a dtype that cannot be read.
  virtual void check_dtype(std::string const&) const {}

  /// Reads the elements of a tensor, which has passed the checks, as those of a dtype.
  virtual void read(std::string const& name, StoredDtype const& dtype, void* to) const = 0;

 protected:
  TensorFile(std::string name, std::string who) : name_(std::move(name)), who_(std::move(who)) {}

  Header index_{};

 private:
  std::string name_, who_;
};

/// The entry of a tensor of a file. Throws where it does not fit a dtype and axes; of the options
/// `cast` and `ignore_axis_names` have an effect.
Entry const& fitting_entry(TensorFile const& file, std::string const& name, LoadOptions options,
                           StoredDtype const& dtype, Shape const& shape);

/// A leaf with the elements of an entry. A `Format` is how a format represents leaves: the dtype,
/// the axes and the run-time sizes of each, and its checks of types; `casts` is whether floating
/// dtypes are read as others.
template <class Format, class Leaf>
Leaf read_leaf(TensorFile const& file, std::string const& name, Entry const& entry) {
  return leaf_of<Leaf>(Format::template sizes<Leaf>(entry), [&](auto* elements) {
    file.read(name, Format::template dtype<Leaf>(), elements);
  });
}

/// A tensor of a file by its name.
template <class Format, class Leaf>
Leaf load_leaf(TensorFile const& file, std::string const& name, LoadOptions options = {}) {
  return read_leaf<Format, Leaf>(
      file, name,
      fitting_entry(file, name, std::move(options), Format::template dtype<Leaf>(),
                    Format::template shape<Leaf>()));
}

/// The members of a `Format` in which leaves have the axes that they have in memory, and that casts
/// no elements.
struct PlainFormat {
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

/// Reads trees from a file.
template <class Format>
class TreeReader {
 public:
  /// Throws `ValueError` for `cast` where the format does not have it.
  TreeReader(TensorFile const& file, LoadOptions options)
      : file_(file), options_(std::move(options)) {
    if (options_.cast && !Format::casts)
      fail<ValueError>({file_.who(), "cast", "no such option", "it", file_.name()});
  }

  /// The tree with the elements of the file. All checks come before the first read.
  template <class Tree>
  Tree read(Tree const& prototype) const {
    Format::template check_tree<Tree>();
    check(prototype);
    Tree tree = tree::map<tree::Stored>(
        [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) -> Leaf {
          if constexpr (is_storable<Leaf>) {
            std::string const name = name_of(path);
            Entry const* const found = find_entry(file_.index(), name);
            return found ? read_leaf<Format, Leaf>(file_, name, *found) : leaf;
          } else {
            return leaf;
          }
        },
        prototype);
    tree::SizeCheck(file_.who(), file_.name())(tree);
    return tree;
  }

  /// The same of a tree whose structure follows from the names in the file.
  template <class Tree>
  Tree read() const {
    Format::template check_tree<Tree>();
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
          Format::template check_storable<Leaf>();
          if constexpr (is_storable<Leaf>) {
            std::string name = name_of(path);
            file_.check_dtype(name);
            bool const has = check.leaf(name, Format::template dtype<Leaf>(), expected_axes(leaf));
            if (has) found.push_back(std::move(name));
          }
        },
        prototype);
    check.others(std::move(found));
  }

  template <class Leaf>
  Shape expected_axes(Leaf const& leaf) const {
    Shape const axes = Format::template shape<Leaf>();
    if constexpr (is_tensor<Leaf>) {
      if (options_.same_sizes && leaf.size() > 0) return with_sizes(axes, leaf.sizes(), Leaf::rank);
    }
    return axes;
  }

  std::string name_of(tree::Path const& path) const {
    return name_in_file(entry_name(path), options_);
  }

  TensorFile const& file_;
  LoadOptions options_;
};

}  // namespace tenon::internal::safetensors

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::safetensors {

TENON_RUNTIME Entry const& fitting_entry(TensorFile const& file, std::string const& name,
                                         LoadOptions options, StoredDtype const& dtype,
                                         Shape const& shape) {
  options.keep_missing = options.report_all = false;
  file.check_dtype(name);
  LeafCheck(file.index(), std::move(options), file.name(), file.who()).leaf(name, dtype, shape);
  return *find_entry(file.index(), name);
}

TENON_RUNTIME std::string Grower::below(std::string const& name, std::string const& part) {
  return name.empty() ? part : name + "." + part;
}

TENON_RUNTIME bool Grower::has_leaf(std::string const& name, tree::Path const& path) const {
  std::string const text = path.text();
  std::string const whole = text.empty() ? name : below(name, text);
  return header_.entries.contains(name_in_file(whole, options_));
}

TENON_RUNTIME bool Grower::has_prefix(std::string const& name) const {
  auto const& entries = header_.entries;
  if (entries.contains(name)) return true;
  auto const next = entries.lower_bound(name + ".");
  return next != entries.end() && next->first.starts_with(name + ".");
}

}  // namespace tenon::internal::safetensors

#endif
