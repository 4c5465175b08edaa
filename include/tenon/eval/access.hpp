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
  [[gnu::noinline]] bool same(MemoryAccess const& other) const {
    return data == other.data && gradient == other.gradient && start == other.start &&
           stride == other.stride && row == other.row && depth == other.depth;
  }

  /// From the axes of an operand to those of its user: axis `map[i]` is the operand's axis i.
  void lift(AxisMap const& map, int rank) {
    Sizes lifted{};
    for (int i = 0; i < rank; ++i) {
      int const axis = map[static_cast<std::size_t>(i)];
      if (axis >= 0) tenon::at(lifted, axis) += tenon::at(stride, i);
    }
    stride = lifted;
  }

  /// From the axes of an operand to those of a move of it: axis k is the operand's `order[k]`.
  void move(AxisMap const& order, int rank, int operand_rank, ElementIndex const& from) {
    start += offset(stride, from, operand_rank);
    Sizes moved{};
    for (int k = 0; k < rank; ++k) {
      int const axis = order[static_cast<std::size_t>(k)];
      if (axis >= 0) tenon::at(moved, k) = tenon::at(stride, axis);
    }
    stride = moved;
  }

  /// The axes `folded` become the depth of a fold over columns; the others move together, or stay
  /// in place where the fold keeps its axes.
  void enter_columns(AxisBits folded, int rank, bool keeps) {
    Sizes kept{};
    for (int i = 0, to = 0, down = 0; i < rank; ++i) {
      bool const folds = has_axis(folded, i);
      if (folds) tenon::at(depth, down++) = tenon::at(stride, i);
      else tenon::at(kept, to) = tenon::at(stride, i);
      to += folds && !keeps ? 0 : 1;
    }
    stride = kept;
  }

  /// The last `row_rank` of `rank` axes become axes of the row.
  void enter_row(int rank, int row_rank) {
    for (int i = 0; i < row_rank; ++i) {
      std::int64_t& step = tenon::at(stride, rank - row_rank + i);
      tenon::at(row, i) += step;
      step = 0;
    }
  }
};

/// A list through accesses that stay where they are: what is done to all of them needs no template.
/// The list that was made last through an access is the one that holds.
class Accesses {
 public:
  void add(MemoryAccess& access) {
    access.next = first_;
    first_ = &access;
  }
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
  [[gnu::noinline]] void lift(AxisMap const& map, int rank) const {
    each([&](MemoryAccess& access) { access.lift(map, rank); });
  }
  [[gnu::noinline]] void move(AxisMap const& order, int rank, int operand_rank,
                              ElementIndex const& from, bool overlaps) const {
    each([&](MemoryAccess& access) {
      access.move(order, rank, operand_rank, from);
      access.shares_gradient = access.shares_gradient || overlaps;
    });
  }
  [[gnu::noinline]] void enter_row(int rank, int row_rank) const {
    each([&](MemoryAccess& access) { access.enter_row(rank, row_rank); });
  }
  [[gnu::noinline]] void enter_columns(AxisBits folded, int rank, bool keeps) const {
    each([&](MemoryAccess& access) { access.enter_columns(folded, rank, keeps); });
  }

  /// The list of a copy that lies `bytes` further on.
  void shift(std::ptrdiff_t bytes) {
    for (MemoryAccess** link = &first_; *link != nullptr; link = &(*link)->next)
      *link = reinterpret_cast<MemoryAccess*>(reinterpret_cast<std::byte*>(*link) + bytes);
  }

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
