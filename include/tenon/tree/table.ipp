#pragma once

#include <tenon/core/config.hpp>
#include <tenon/tree/table.hpp>

namespace tenon::internal::tree {

/// One traversal: the visitor, and the action for every kind of node.
class TableWalk {
 public:
  explicit TableWalk(LeafVisits const& visits) : visits_(visits) {}

  void walk(TreeType const& type, Path const& path, std::byte* const* trees) const {
    if (type.node == Node::leaf) visit(type, path, trees);
    else if (type.node == Node::frozen) walk(*type.inner, path, trees);
    else if (type.node == Node::record) walk_parts(type, path, trees);
    else if (type.node != Node::passed) walk_elements(type, path, trees);
  }

 private:
  void visit(TreeType const& leaf, Path const& path, std::byte* const* leaves) const {
    LeafVisit const* found = visits_.list;
    while (found->leaf != &leaf) ++found;
    found->call(visits_.f, path, leaves);
  }

  void walk_parts(TreeType const& record, Path const& path, std::byte* const* trees) const {
    std::byte* inner[most_trees];
    for (std::size_t i = 0; i < record.count; ++i) {
      TreePart const& part = record.parts[i];
      for (std::size_t k = 0; k < visits_.trees; ++k) inner[k] = trees[k] + part.offset;
      Path const here{&path, part.name, part.index};
      if (part.type->node == Node::leaf) visit(*part.type, here, inner);
      else walk(*part.type, here, inner);
    }
  }

  void walk_elements(TreeType const& holder, Path const& path, std::byte* const* trees) const {
    std::byte* at[most_trees];
    std::size_t const count = elements(holder, path, trees, at);
    bool const is_value = holder.node == Node::optional;
    for (std::size_t i = 0; i < count; ++i) {
      walk(*holder.inner, is_value ? path : Path{&path, {}, i}, at);
      for (std::size_t k = 0; k < visits_.trees; ++k) at[k] += holder.stride;
    }
  }

  /// The addresses of the first elements, and their number.
  std::size_t elements(TreeType const& holder, Path const& path, std::byte* const* trees,
                       std::byte** first) const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < visits_.trees; ++k) {
      Elements const held = holder.elements(trees[k]);
      if (k == 0) count = held.count;
      else if (holder.node == Node::optional) check_value(path, count > 0, held.count > 0);
      else check_size(path, count, held.count);
      first[k] = held.first;
    }
    return count;
  }

  LeafVisits visits_;
};

TENON_RUNTIME void walk(LeafVisits const& visits, TreeType const& type, Path const& path,
                        std::byte* const* trees) {
  TableWalk(visits).walk(type, path, trees);
}

}  // namespace tenon::internal::tree
