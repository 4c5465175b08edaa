#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/core/rules/broadcast.hpp>
#include <tenon/expr/view/packed.hpp>
#include <tenon/tensor/index.hpp>

namespace tenon::internal {

/// One occurrence of memory in a kernel: the offsets and strides of its elements along the axes of
/// the kernel, in elements. (No default member initialisers: `MemoryAccess{}` is all zeros.)
struct MemoryAccess {
  std::byte const* data;
  std::byte* gradient;         ///< Where the adjoint is added; null where none is needed.
  std::int64_t count;          ///< Elements behind `gradient`.
  std::int64_t element_bytes;  ///< Of one element, in a backward sweep of its adjoint.
  Sizes stride;                ///< Along the outer axes.
  Sizes row;                   ///< Along the axes of its row.
  Sizes depth;                 ///< Along the reduced axes of a reduction over columns; in a short
                               ///< reduction the offset of every position.
  bool shares_gradient;        ///< Several rows may add to one element.
  bool gradient_is_new;        ///< Its elements are uninitialised; the caller that runs the kernel
                               ///< zeroes them.
  bool is_in_row;              ///< Whether it is in the list of a row.
  std::int32_t next;           ///< In the list of all accesses: the distance in bytes to the next
                               ///< one; 0: the last.
  std::int32_t next_in_row;    ///< The same in the list of the accesses that walk along one row.
  std::int64_t own_part;       ///< Its elements that every row zeroes as it begins.
  std::int64_t gathered;       ///< From one element that ids may select to the next.
  std::int64_t start;          ///< Offset of the tensor's first element.
  std::int64_t at;             ///< Offset of the current row.
  std::int64_t now;            ///< Offset of the current innermost run of the row.
  std::int64_t inner;          ///< The step of a run.
  std::int64_t inner_depth;    ///< The step along the last reduced axis.
  void (*add)(std::byte* to, std::byte const* from, std::int64_t count);

  /// Whether both read the same elements and add adjoints to the same memory: two leaves of a tree
  /// may share their memory, and a recorded tensor may share it with a constant.
  bool same(MemoryAccess const& other) const;

  /// From the axes of an operand to those of its user: axis `map[i]` of the user is the operand's
  /// axis i.
  void lift(AxisMap const& map, int rank);

  /// From the axes of an operand to those of a view of it: axis k is the operand's `order[k]`.
  void move(AxisMap const& order, int rank, int operand_rank, ElementIndex const& from);

  /// The axes `reduced` become the depth of a reduction over columns; the others become adjacent,
  /// or keep their positions where the reduction keeps its axes.
  void enter_columns(AxisBits reduced, int rank, bool keeps);

  /// The last axes of an operand become positions of a short reduction over them.
  void enter_positions(Sizes const& sizes, int rank, int reduced);

  /// The last `row_rank` of `rank` axes become axes of the row.
  void enter_row(int rank, int row_rank);
};

/// An intrusive list of accesses: operations on all of them need no template. Its links are
/// distances, so that a copy of the memory that contains all of them has the same list.
class Accesses {
 public:
  void add(MemoryAccess& access);

  template <class F>
  void each(F const& f) const {
    for (MemoryAccess* access = first_; access != nullptr; access = next_of(*access)) f(*access);
  }
  template <class F>
  bool all(F const& f) const {
    for (MemoryAccess* access = first_; access != nullptr; access = next_of(*access)) {
      if (!f(*access)) return false;
    }
    return true;
  }

  /// The access that was added last; null for none.
  MemoryAccess* last() const { return first_; }
  /// The accesses added after `before`; all where it is null.
  Accesses since(MemoryAccess* before) const;
  /// Those that belong to no row yet, as the list of a row.
  Accesses made_row() const;

  /// What a node does to the accesses of its operands.
  void lift(AxisMap const& map, int rank) const;
  void move(AxisMap const& order, int rank, int operand_rank, ElementIndex const& from,
            bool overlaps) const;
  void enter_row(int rank, int row_rank) const;
  void enter_columns(AxisBits reduced, int rank, bool keeps) const;
  void enter_positions(Sizes const& sizes, int rank, int reduced) const;

  /// The list of a copy that lies `bytes` further on.
  void shift(std::ptrdiff_t bytes);

 private:
  friend class OwnAccesses;

  static MemoryAccess* at_distance(void const* from, std::ptrdiff_t bytes) {
    auto* const here = reinterpret_cast<std::byte*>(const_cast<void*>(from));
    return bytes == 0 ? nullptr : reinterpret_cast<MemoryAccess*>(here + bytes);
  }
  MemoryAccess* next_of(MemoryAccess const& access) const {
    MemoryAccess* const next = at_distance(&access, is_row_ ? access.next_in_row : access.next);
    return next == end_ ? nullptr : next;
  }

  MemoryAccess* first_ = nullptr;
  MemoryAccess* end_ = nullptr;  ///< One past the end of the list.
  bool is_row_ = false;
};

/// A list that is stored in the same memory as its accesses.
class OwnAccesses {
 public:
  OwnAccesses& operator=(Accesses const& list);
  Accesses get() const;

 private:
  std::ptrdiff_t first_ = 0;
  bool is_row_ = false;
};

}  // namespace tenon::internal

namespace tenon {

using internal::MemoryAccess;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

[[gnu::noinline]] TENON_RUNTIME bool MemoryAccess::same(MemoryAccess const& other) const {
  return data == other.data && gradient == other.gradient && start == other.start &&
         stride == other.stride && row == other.row && depth == other.depth;
}

TENON_RUNTIME void MemoryAccess::lift(AxisMap const& map, int rank) {
  Sizes lifted{};
  for (int i = 0; i < rank; ++i) {
    int const axis = map[static_cast<std::size_t>(i)];
    if (axis >= 0) tenon::internal::at(lifted, axis) += tenon::internal::at(stride, i);
  }
  stride = lifted;
}

TENON_RUNTIME void MemoryAccess::move(AxisMap const& order, int rank, int operand_rank,
                                      ElementIndex const& from) {
  start += offset(stride, from, operand_rank);
  Sizes moved{};
  for (int k = 0; k < rank; ++k) {
    int const axis = order[static_cast<std::size_t>(k)];
    if (axis >= 0) tenon::internal::at(moved, k) = tenon::internal::at(stride, axis);
  }
  stride = moved;
}

TENON_RUNTIME void MemoryAccess::enter_columns(AxisBits reduced, int rank, bool keeps) {
  Sizes kept{};
  for (int i = 0, to = 0, down = 0; i < rank; ++i) {
    bool const reductions = has_axis(reduced, i);
    if (reductions) tenon::internal::at(depth, down++) = tenon::internal::at(stride, i);
    else tenon::internal::at(kept, to) = tenon::internal::at(stride, i);
    to += reductions && !keeps ? 0 : 1;
  }
  stride = kept;
}

TENON_RUNTIME void MemoryAccess::enter_positions(Sizes const& sizes, int rank, int reduced) {
  Sizes along = unit_sizes(), steps{};
  for (int i = 0; i < reduced; ++i) {
    tenon::internal::at(along, i) = tenon::internal::at(sizes, rank - reduced + i);
    std::swap(tenon::internal::at(steps, i), tenon::internal::at(stride, rank - reduced + i));
  }
  ElementIndex index{};
  int position = 0;
  do tenon::internal::at(depth, position++) = offset(steps, index, reduced);
  while (tenon::internal::next(index, along, reduced));
}

TENON_RUNTIME void MemoryAccess::enter_row(int rank, int row_rank) {
  for (int i = 0; i < row_rank; ++i) {
    std::int64_t& step = tenon::internal::at(stride, rank - row_rank + i);
    tenon::internal::at(row, i) += step;
    step = 0;
  }
}

TENON_RUNTIME void Accesses::add(MemoryAccess& access) {
  auto const bytes = reinterpret_cast<std::byte*>(first_) - reinterpret_cast<std::byte*>(&access);
  access.next = first_ == nullptr ? 0 : static_cast<std::int32_t>(bytes);
  first_ = &access;
}

TENON_RUNTIME Accesses Accesses::since(MemoryAccess* before) const {
  Accesses later = *this;
  later.end_ = before;
  if (later.first_ == later.end_) later.first_ = nullptr;
  return later;
}

[[gnu::noinline]] TENON_RUNTIME Accesses Accesses::made_row() const {
  Accesses row;
  row.is_row_ = true;
  each([&](MemoryAccess& access) {
    if (access.is_in_row) return;
    auto const bytes =
        reinterpret_cast<std::byte*>(row.first_) - reinterpret_cast<std::byte*>(&access);
    access.is_in_row = true;
    access.next_in_row = row.first_ == nullptr ? 0 : static_cast<std::int32_t>(bytes);
    row.first_ = &access;
  });
  return row;
}

TENON_RUNTIME OwnAccesses& OwnAccesses::operator=(Accesses const& list) {
  auto const bytes = reinterpret_cast<std::byte*>(list.first_) - reinterpret_cast<std::byte*>(this);
  first_ = list.first_ == nullptr ? 0 : bytes;
  is_row_ = list.is_row_;
  return *this;
}

TENON_RUNTIME Accesses OwnAccesses::get() const {
  Accesses list;
  list.first_ = Accesses::at_distance(this, first_);
  list.is_row_ = is_row_;
  return list;
}

[[gnu::noinline]] TENON_RUNTIME void Accesses::lift(AxisMap const& map, int rank) const {
  each([&](MemoryAccess& access) { access.lift(map, rank); });
}

[[gnu::noinline]] TENON_RUNTIME void Accesses::move(AxisMap const& order, int rank,
                                                    int operand_rank, ElementIndex const& from,
                                                    bool overlaps) const {
  each([&](MemoryAccess& access) {
    access.move(order, rank, operand_rank, from);
    access.shares_gradient = access.shares_gradient || overlaps;
  });
}

[[gnu::noinline]] TENON_RUNTIME void Accesses::enter_row(int rank, int row_rank) const {
  each([&](MemoryAccess& access) { access.enter_row(rank, row_rank); });
}

[[gnu::noinline]] TENON_RUNTIME void Accesses::enter_columns(AxisBits reduced, int rank,
                                                             bool keeps) const {
  each([&](MemoryAccess& access) { access.enter_columns(reduced, rank, keeps); });
}

[[gnu::noinline]] TENON_RUNTIME void Accesses::enter_positions(Sizes const& sizes, int rank,
                                                               int reduced) const {
  each([&](MemoryAccess& access) { access.enter_positions(sizes, rank, reduced); });
}

TENON_RUNTIME void Accesses::shift(std::ptrdiff_t bytes) {
  first_ = reinterpret_cast<MemoryAccess*>(reinterpret_cast<std::byte*>(first_) + bytes);
}

}  // namespace tenon::internal

#endif
