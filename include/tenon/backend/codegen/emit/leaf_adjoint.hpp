#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include <tenon/backend/codegen/node/memory.hpp>
#include <tenon/backend/codegen/text/index.hpp>
#include <tenon/tensor/live_recordings.hpp>

/// The targets of backward kernels.
namespace tenon::internal::codegen {

/// Whether the adjoint of a leaf with this mark is required. (That of an earlier kernel's result
/// is.)
using Wanted = std::function<bool(TapeMark)>;

/// The adjoint of a leaf: row-major, with the sizes of the leaf.
struct LeafAdjoint {
  Memory leaf;
  TapeMark mark{};
  std::string name{};
  std::int64_t elements = 0;
  std::int64_t element_bytes = 0;
  std::int64_t parts = 0;  ///< Partial sums added in a separate kernel; 0: none.

  /// Whether both are the same leaf: identified by mark, otherwise by memory.
  bool is_of(LeafMemory const& memory, TapeMark other) const {
    if (mark != other) return false;
    if (mark.tape != 0 && leaf.earlier < 0 && memory.earlier < 0) return true;
    if (leaf.earlier >= 0 || memory.earlier >= 0) return leaf.earlier == memory.earlier;
    bool const shares = leaf.inline_bytes == 0 && memory.inline_bytes == 0;
    return shares ? leaf.data == memory.data : leaf.same(memory);
  }
};

/// How the elements to which a row adds depend on the axes of the rows: for each axis a key of the
/// dependence; empty if the elements are independent of the axis.
using Following = std::array<std::vector<std::int64_t>, max_rank>;

/// The dependence of row-major elements on the rows: an axis of a leaf whose index is exactly that
/// of a row axis differs in every row.
inline Following following(std::vector<std::int64_t> const& memory, int rank, Places const& at) {
  Following result{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
    if (at[i].terms.size() != 1 || at[i].terms[0] >= 0) continue;
    auto& numbers = result[static_cast<std::size_t>(Rows::term(at[i].terms[0]))];
    numbers = memory;
    numbers.insert(numbers.end(), {static_cast<std::int64_t>(i), at[i].start});
  }
  return result;
}

/// Whether strides map distinct indices to distinct elements.
inline bool are_apart(Sizes const& steps, Sizes const& sizes, int rank) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
    if (sizes[i] > 1) axes.emplace_back(steps[i] < 0 ? -steps[i] : steps[i], sizes[i]);
  }
  std::ranges::sort(axes);
  std::int64_t reach = 0;
  for (auto const& [step, size] : axes) {
    if (step <= reach) return false;
    reach += step * (size - 1);
  }
  return true;
}

/// The distinct adjoints to which a kernel adds.
class LeafAdjoints {
 public:
  struct Entry {
    LeafAdjoint adjoint;
    std::optional<Following> rows{};  ///< What all additions have in common.

    void follow(Following const& added) {
      if (!rows) rows = added;
      for (std::size_t i = 0; i < max_rank; ++i) {
        if ((*rows)[i] != added[i]) (*rows)[i].clear();
      }
    }
    /// How work items of a group add to it: along these axes, all to one element, or both.
    std::optional<std::vector<std::int64_t>> along{};
    bool is_joint = false, is_torn = false;

    void follow_members(std::vector<std::int64_t> const& axes) {
      is_torn = is_torn || axes.empty() || (along && *along != axes);
      along = axes;
    }
    /// Whether two work items may add to one element concurrently.
    bool meets() const { return is_torn || (is_joint && along && along->size() > 2); }
    /// The axis whose index determines the owner of an element; -1: none.
    int axis() const { return along && !along->empty() ? static_cast<int>(along->front()) : -1; }

    /// Whether rows that differ along an axis add to different elements.
    bool follows(std::size_t axis) const { return rows && !(*rows)[axis].empty(); }
  };

  Entry& find(LeafAdjoint const& adjoint) {
    for (Entry& entry : entries_) {
      if (entry.adjoint.is_of(adjoint.leaf, adjoint.mark)) return entry;
    }
    entries_.push_back({adjoint});
    entries_.back().adjoint.name = "g" + std::to_string(entries_.size() - 1);
    return entries_.back();
  }
  std::vector<Entry> const& all() const { return entries_; }
  std::size_t number(Entry const& entry) const {
    return static_cast<std::size_t>(&entry - entries_.data());
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace tenon::internal::codegen
