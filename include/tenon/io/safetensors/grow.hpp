#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/io/safetensors/header.hpp>
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

}  // namespace tenon::internal::safetensors

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/grow.ipp>
#endif
