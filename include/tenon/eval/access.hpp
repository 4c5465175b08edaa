#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tenon/core/rules/broadcast.hpp>
#include <tenon/expr/move/packed.hpp>
#include <tenon/tensor/index.hpp>

namespace tenon {

/// One occurrence of memory in a kernel: where its elements lie, seen from the axes of the kernel.
/// All counts are in elements.
struct MemoryAccess {
  std::byte const* data = nullptr;
  std::byte* gradient = nullptr;  ///< Where the adjoint is added; null where nobody wants it.
  std::int64_t count = 0;         ///< Elements behind `gradient`.
  std::int64_t element_bytes = 1;
  Sizes stride{};                ///< Along the outer axes.
  Sizes row{};                   ///< Along the axes of its row.
  Sizes depth{};                 ///< Along the folded axes of a fold over columns.
  bool shares_gradient = false;  ///< Several rows may add to one element.
  bool gradient_is_new = false;  ///< It holds anything; whoever runs the kernel sets it to zero.
  std::int64_t own_part = 0;     ///< Elements of it that every row sets to zero as it begins.
  std::int64_t gathered = 0;     ///< From one element that ids may choose to the next.
  std::int64_t start = 0;        ///< Of the tensor's first element.
  std::int64_t at = 0;           ///< Of the current row.
  std::int64_t now = 0;          ///< Of the current innermost run of the row.
  std::int64_t inner = 1;        ///< The step of a run.
  std::int64_t inner_depth = 0;  ///< The step along the last folded axis.
  void (*add)(std::byte* to, std::byte const* from, std::int64_t count) = nullptr;
  MemoryAccess* next = nullptr;  ///< In a list of accesses.

  /// The same elements, whose adjoints go to the same place: two leaves of a tree may share their
  /// memory, and a recorded tensor may share it with a constant.
  bool same(MemoryAccess const& other) const;

  /// From the axes of an operand to those of its user: axis `map[i]` is the operand's axis i.
  void lift(AxisMap const& map, int rank);

  /// From the axes of an operand to those of a move of it: axis k is the operand's `order[k]`.
  void move(AxisMap const& order, int rank, int operand_rank, ElementIndex const& from);

  /// The axes `folded` become the depth of a fold over columns; the others move together, or stay
  /// in place where the fold keeps its axes.
  void enter_columns(AxisBits folded, int rank, bool keeps);

  /// The last `row_rank` of `rank` axes become axes of the row.
  void enter_row(int rank, int row_rank);
};

/// A list through accesses that stay where they are: what is done to all of them needs no template.
/// The list that was made last through an access is the one that holds.
class Accesses {
 public:
  void add(MemoryAccess& access);
  template <class F>
  void each(F const& f) const {
    for (MemoryAccess* access = first_; access != nullptr; access = access->next) f(*access);
  }
  template <class F>
  bool all(F const& f) const {
    for (MemoryAccess* access = first_; access != nullptr; access = access->next) {
      if (!f(*access)) return false;
    }
    return true;
  }

  /// What a node does to the accesses of its operands.
  void lift(AxisMap const& map, int rank) const;
  void move(AxisMap const& order, int rank, int operand_rank, ElementIndex const& from,
            bool overlaps) const;
  void enter_row(int rank, int row_rank) const;
  void enter_columns(AxisBits folded, int rank, bool keeps) const;

  /// The list of a copy that lies `bytes` further on.
  void shift(std::ptrdiff_t bytes);

 private:
  MemoryAccess* first_ = nullptr;
};

/// Every access of a frame.
template <class Frame>
Accesses accesses_of(Frame& frame) {
  Accesses list;
  frame.visit([&](MemoryAccess& access) { list.add(access); });
  return list;
}

/// Those that walk along the row of a frame.
template <class Frame>
Accesses walking_accesses_of(Frame& frame) {
  Accesses list;
  frame.step([&](MemoryAccess& access) { list.add(access); });
  return list;
}

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/access.ipp>
#endif
