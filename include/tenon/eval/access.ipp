#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/access.hpp>

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

TENON_RUNTIME Accesses Accesses::since(Accesses const& before) const {
  Accesses later = *this;
  later.end_ = before.first_;
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

TENON_RUNTIME void Accesses::shift(std::ptrdiff_t bytes) {
  first_ = reinterpret_cast<MemoryAccess*>(reinterpret_cast<std::byte*>(first_) + bytes);
}

}  // namespace tenon::internal
