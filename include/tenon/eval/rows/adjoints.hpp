#pragma once

#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/chunks.hpp>
#include <tenon/tensor/memory.hpp>

/// New adjoints are zeroed before a kernel adds to them. Where the rows of a kernel cover all of an
/// adjoint and share no element, each row zeroes its own part as it begins: that part is then in
/// cache when it is added to, so memory is walked once, not twice.
namespace tenon::internal {

/// Sets a part of an adjoint to zero.
void set_to_zero(MemoryAccess& access, std::int64_t first, std::int64_t count);

/// Whether all accesses to one adjoint stay within the part of their row or chunk.
bool is_unshared(RowLayout const& layout, std::int64_t pieces, Accesses const& accesses,
                 MemoryAccess const& access);

/// The elements of its adjoint that belong to a row; 0 where rows share elements or leave some out.
/// (Disjoint parts with as many elements as the adjoint cover all of it.)
std::int64_t part_of_row(RowLayout const& layout, std::int64_t pieces, Accesses const& accesses,
                         MemoryAccess const& access);

/// Sets new adjoints to zero, or defers it to the rows. Returns whether anything is deferred.
bool set_new_adjoints(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks);

/// Zeroes the part of a row, or of the elements [begin, end) of a row that is cut into chunks.
void set_parts(Accesses const& accesses, RowLayout const& layout, std::int64_t begin,
               std::int64_t end);

/// The adjoints to which several chunks add. Each group of chunks gets a separate copy; copies are
/// added in the order of the groups, so that the sum does not depend on the threads.
class SharedAdjoints {
 public:
  static constexpr std::int64_t most_groups = 16;
  static constexpr std::int64_t most_elements = std::int64_t{1} << 22;

  /// `accesses` are those of a kernel's formula.
  SharedAdjoints(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks);

  /// Groups run in parallel, the chunks of a group one after the other.
  std::int64_t groups() const { return groups_; }

  /// Points a kernel's accesses at the copies of a group.
  void redirect(Accesses const& accesses, std::int64_t group) const;

  /// Adds up the copies.
  void collect() const;

 private:
  struct Shared {
    std::byte* gradient;
    std::int64_t count;
    std::int64_t bytes;
    void (*add)(std::byte*, std::byte const*, std::int64_t);
    SharedBuffer copies{};
  };

  static SharedBuffer zeros(std::int64_t bytes);

  void enter(MemoryAccess const& access);

  void find(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks);

  std::vector<Shared> shared_;
  std::int64_t groups_;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstring>

namespace tenon::internal {

TENON_RUNTIME void set_to_zero(MemoryAccess& access, std::int64_t first, std::int64_t count) {
  std::memset(access.gradient + first * access.element_bytes, 0,
              static_cast<std::size_t>(count * access.element_bytes));
}

TENON_RUNTIME bool is_unshared(RowLayout const& layout, std::int64_t pieces,
                               Accesses const& accesses, MemoryAccess const& access) {
  return accesses.all([&](MemoryAccess& other) {
    return other.gradient != access.gradient || !is_shared(layout, pieces, accesses, other);
  });
}

TENON_RUNTIME std::int64_t part_of_row(RowLayout const& layout, std::int64_t pieces,
                                       Accesses const& accesses, MemoryAccess const& access) {
  bool const in_pieces = pieces > 1;
  std::int64_t const part = in_pieces ? layout.row.size() : band_of(layout, access);
  if (part * layout.rows() != access.count) return 0;
  bool const is_own = in_pieces ? access.start == 0 && at(access.row, 0) == 1
                                : keep_to_bands(layout, accesses, access);
  return is_own && is_unshared(layout, pieces, accesses, access) ? part : 0;
}

[[gnu::noinline]] TENON_RUNTIME bool set_new_adjoints(Accesses const& accesses,
                                                      RowLayout const& layout,
                                                      RowChunks const& chunks) {
  bool left = false;
  accesses.each([&](MemoryAccess& access) {
    if (access.gradient == nullptr || !access.gradient_is_new) return;
    if (chunks.count > 1) access.own_part = part_of_row(layout, chunks.pieces, accesses, access);
    if (access.own_part == 0) set_to_zero(access, 0, access.count);
    left = left || access.own_part > 0;
  });
  return left;
}

TENON_RUNTIME void set_parts(Accesses const& accesses, RowLayout const& layout, std::int64_t begin,
                             std::int64_t end) {
  bool const is_piece = end - begin < layout.row.inner();
  accesses.each([&](MemoryAccess& access) {
    if (access.own_part == 0) return;
    std::int64_t const first = access.at / access.own_part * access.own_part + begin;
    set_to_zero(access, first, is_piece ? end - begin : access.own_part);
  });
}

[[gnu::noinline]] TENON_RUNTIME SharedAdjoints::SharedAdjoints(Accesses const& accesses,
                                                               RowLayout const& layout,
                                                               RowChunks const& chunks)
    : groups_(chunks.count) {
  find(accesses, layout, chunks);
  std::int64_t elements = 0;
  for (Shared const& shared : shared_) elements += shared.count;
  if (shared_.empty()) return;
  groups_ =
      (std::min)({chunks.count, most_groups,
                  std::max<std::int64_t>(1, most_elements / std::max<std::int64_t>(1, elements))});
  if (groups_ <= 1) return;
  for (Shared& shared : shared_) shared.copies = zeros(groups_ * shared.count * shared.bytes);
}

TENON_RUNTIME void SharedAdjoints::redirect(Accesses const& accesses, std::int64_t group) const {
  if (groups_ <= 1) return;
  accesses.each([&](MemoryAccess& access) {
    for (Shared const& shared : shared_) {
      if (access.gradient == shared.gradient)
        access.gradient = shared.copies.as<std::byte>() + group * shared.count * shared.bytes;
    }
  });
}

TENON_RUNTIME void SharedAdjoints::collect() const {
  for (Shared const& shared : shared_) {
    for (std::int64_t group = 0; groups_ > 1 && group < groups_; ++group) {
      shared.add(shared.gradient,
                 shared.copies.as<std::byte>() + group * shared.count * shared.bytes, shared.count);
    }
  }
}

TENON_RUNTIME SharedBuffer SharedAdjoints::zeros(std::int64_t bytes) {
  SharedBuffer buffer(static_cast<std::size_t>(bytes));
  std::memset(buffer.data(), 0, buffer.bytes());
  return buffer;
}

TENON_RUNTIME void SharedAdjoints::enter(MemoryAccess const& access) {
  for (Shared const& shared : shared_) {
    if (shared.gradient == access.gradient) return;
  }
  shared_.push_back({access.gradient, access.count, access.element_bytes, access.add});
}

TENON_RUNTIME void SharedAdjoints::find(Accesses const& accesses, RowLayout const& layout,
                                        RowChunks const& chunks) {
  if (chunks.count <= 1) return;
  accesses.each([&](MemoryAccess& access) {
    if (access.gradient != nullptr && is_shared(layout, chunks.pieces, accesses, access))
      enter(access);
  });
}

}  // namespace tenon::internal

#endif
