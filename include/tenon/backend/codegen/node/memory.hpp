#pragma once

#include <string>
#include <vector>

#include <tenon/backend/codegen/node/node.hpp>
#include <tenon/backend/codegen/text/quantities.hpp>

namespace tenon::internal::codegen {

/// A memory argument of a kernel.
struct Memory : LeafMemory {
  std::string name;
  std::string_view type;
  Quantities sizes{};
  Quantities strides{};  ///< Of a view; else row-major.
};

/// The distinct memories behind the leaves of a kernel.
class Memories {
 public:
  explicit Memories(Variables& variables) : variables_(&variables) {}

  std::vector<Memory> const& all() const { return memories_; }
  Memory const& operator[](std::size_t i) const { return memories_[i]; }

  /// The index of a leaf's memory; for a leaf that represents the matmul of its kernel, the index
  /// of the result of kernel `own_product`.
  std::size_t find(Node leaf, int own_product = tenon::internal::own_product) {
    std::size_t const known = memories_.size();
    LeafMemory memory = leaf->access->memory(leaf.address());
    if (memory.earlier == tenon::internal::own_product && leaf.is(NodeKind::earlier))
      memory.earlier = own_product;
    std::size_t const place = find(std::move(memory));
    if (place < known) return place;
    memories_[place].type = leaf->text->dtype->text;
    memories_[place].sizes = quantities(*leaf->shape, leaf.sizes());
    if (leaf.is(NodeKind::view))
      memories_[place].strides = strides(leaf.rank(), leaf->access->strides(leaf.address()));
    return place;
  }

  /// The sizes of a shape; run-time sizes become new arguments.
  Quantities quantities(Shape const& shape, Sizes const& sizes) {
    Quantities result{};
    for (int i = 0; i < shape.rank; ++i) {
      auto const axis = static_cast<std::size_t>(i);
      if (shape[i].is_static()) result[axis] = {shape[i].size};
      else result[axis] = variables_->fresh(size_name(shape[i]), sizes[axis]);
    }
    return result;
  }

  /// Strides known at run time.
  Quantities strides(int rank, Sizes const& steps) {
    Quantities result{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i)
      result[i] = variables_->fresh("stride", steps[i]);
    return result;
  }

 private:
  std::size_t find(LeafMemory memory) {
    for (std::size_t i = 0; i < memories_.size(); ++i) {
      if (memories_[i].same(memory)) return i;
    }
    memories_.push_back({std::move(memory), "x" + std::to_string(memories_.size()), {}, {}, {}});
    return memories_.size() - 1;
  }
  Variables* variables_;
  std::vector<Memory> memories_;
};

}  // namespace tenon::internal::codegen
