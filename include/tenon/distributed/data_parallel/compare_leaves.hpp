#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/distributed/communication/call.hpp>
#include <tenon/tree/tree.hpp>

/// What has to be equal in trees that ranks add leaf by leaf.
namespace tenon::internal::mpi {

/// Adds a path to the hash, from its end to its root.
inline void add_path(Fingerprint& print, tree::Path const& path) {
  for (auto const* part = &path; part != nullptr; part = part->parent) {
    print.add(part->name);
    print.add(static_cast<std::int64_t>(part->index));
  }
}

/// Adds the dtype, the axes and the sizes of a tensor.
template <class X>
void add_kind(Fingerprint& print, X const& x) {
  if constexpr (TensorType<X>) {
    constexpr std::uint64_t of_type = [] {
      Fingerprint own;
      own.add(dtype_name<typename X::value_type>);
      own.add(X::spec.view());
      return own.value;
    }();
    print.add(static_cast<std::int64_t>(of_type));
    for (int i = 0; i < X::rank; ++i) print.add(at(x.sizes(), i));
  }
}

/// "'first.weight' float32 "n d=2" of 4 2"
template <class X>
std::string description_of_leaf(tree::Path const& path, X const& x) {
  std::string text = "'" + path.text() + "'";
  if constexpr (TensorType<X>) {
    text.append(" ").append(dtype_name<typename X::value_type>);
    text.append(" \"").append(X::spec.view()).append("\"");
    for (int i = 0; i < X::rank; ++i)
      text.append(i == 0 ? " of " : " ").append(std::to_string(at(x.sizes(), i)));
  }
  return text;
}

/// The learned leaves of a tree, in order: their paths, dtypes, axes and sizes, a line for each.
/// Refers to the tree.
template <class Tree>
Details leaves_of(Tree const& tree) {
  Fingerprint print;
  tree::for_each(
      [&](tree::Path const& path, auto const& leaf) {
        add_path(print, path);
        add_kind(print, leaf);
      },
      tree);
  return {print.value, [&tree] {
            std::string text;
            tree::for_each(
                [&](tree::Path const& path, auto const& leaf) {
                  text.append(text.empty() ? "" : "\n").append(description_of_leaf(path, leaf));
                },
                tree);
            return text;
          }};
}

/// The same, with the bucket size in bytes.
inline Details in_buckets_of(Details leaves, std::int64_t bytes) {
  Fingerprint print{leaves.fingerprint};
  print.add(bytes);
  return {print.value, [text = std::move(leaves.text), bytes] {
            return text() + "\nbuckets of " + std::to_string(bytes) + " bytes";
          }};
}

}  // namespace tenon::internal::mpi
