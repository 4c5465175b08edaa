#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/language/word.hpp>
#include <tenon/distributed/communication/agree.hpp>

namespace tenon::internal {

/// An axis of a mesh of ranks, and the coordinate of this rank on it.
struct MeshAxis {
  std::string name;
  int size = 1;
  int rank = 0;
};

}  // namespace tenon::internal

namespace tenon {

/// A mesh of ranks: every rank has a coordinate on each axis; the ranks that differ from it along
/// some axes only form a group. A handle that is cheap to copy. The last axis varies fastest:
/// neighbours on it have consecutive ranks. All groups are created at construction, collectively.
/// PyTorch: `DeviceMesh`.
class Topology {
 public:
  /// Of all ranks of `all`; the product of the sizes is its size.
  Topology(Group const& all, std::vector<internal::MeshAxis> axes)
      : state_(std::make_shared<State const>(all, std::move(axes))) {}

  std::vector<internal::MeshAxis> const& axes() const { return state_->axes; }
  bool has(std::string_view axis) const { return find(axis) < axes().size(); }
  /// The number of ranks along an axis, and the coordinate of this rank.
  int size(std::string_view axis) const { return axes()[found("size", axis)].size; }
  int rank(std::string_view axis) const { return axes()[found("rank", axis)].rank; }
  /// All ranks of the mesh.
  Group const& group() const { return state_->groups.back(); }
  /// The ranks that differ from this rank along the given axes only: `group("dp tp")`. Throws
  /// `ValueError`.
  Group const& group(std::string_view names) const {
    return state_->groups[mask_of("group", names)];
  }
  /// The same mesh, for ranks that work independently along the given axes: on stages of a
  /// pipeline, on micro-batches of their own. `shard(mesh.independent("pp"), x)` and the like are
  /// then called, and compare what they get, on the ranks of the other axes only. Throws
  /// `ValueError`.
  Topology independent(std::string_view names) const {
    Topology result(*this);
    result.independent_ |= mask_of("independent", names);
    return result;
  }
  /// The ranks that make sharded tensors together: of all axes but independent ones.
  Group const& compared() const {
    return state_->groups[(state_->groups.size() - 1) & ~independent_];
  }
  /// "dp=2 tp=2"
  std::string text() const { return text_of(axes()); }
  /// Whether both are handles of the same mesh object.
  friend bool operator==(Topology const& a, Topology const& b) { return a.state_ == b.state_; }

  /// The coordinate of a rank of the mesh on an axis.
  int rank_of(int rank, std::size_t axis) const { return place(axes(), rank, axis); }

 private:
  struct State {
    std::vector<internal::MeshAxis> axes;
    std::vector<Group> groups;  ///< One for each set of axes; bit k of the index: axis k.

    State(Group const& all, std::vector<internal::MeshAxis> given) : axes(std::move(given)) {
      for (std::size_t k = 0; k < axes.size(); ++k) axes[k].rank = place(axes, all.rank(), k);
      compare(all);
      for (std::size_t mask = 0; mask < std::size_t{1} << axes.size(); ++mask)
        groups.push_back(made(all, mask));
    }

    /// Checks that all ranks construct the same mesh.
    void compare(Group const& all) const {
      std::string const text = text_of(axes);
      internal::mpi::Fingerprint print;
      print.add(text);
      internal::mpi::agree(all, {.operation = "Mesh", .where = {}},
                           {print.value, [&] { return text_of(axes); }});
    }

    /// Axes of size 1 are ignored: the group of the others exists already.
    Group made(Group const& all, std::size_t mask) const {
      std::size_t needed = 0;
      int colour = 0, size = 1;
      std::string name;
      for (std::size_t k = 0; k < axes.size(); ++k) {
        bool const varies = (mask >> k & 1) != 0;
        if (!varies) colour = colour * axes[k].size + axes[k].rank;
        if (!varies || axes[k].size == 1) continue;
        needed |= std::size_t{1} << k;
        size *= axes[k].size;
        name.append(name.empty() ? "" : " ").append(axes[k].name);
      }
      if (needed != mask) return groups[needed];
      return size == all.size() ? all : size == 1 ? Group() : all.split(colour, 0, name);
    }
  };

  static std::string text_of(std::vector<internal::MeshAxis> const& axes) {
    std::string all;
    for (auto const& axis : axes)
      all.append(all.empty() ? "" : " ")
          .append(axis.name)
          .append("=")
          .append(std::to_string(axis.size));
    return all;
  }
  static int place(std::vector<internal::MeshAxis> const& axes, int rank, std::size_t axis) {
    for (std::size_t k = axes.size() - 1; k > axis; --k) rank /= axes[k].size;
    return rank % axes[axis].size;
  }
  /// Bit k: axis k is among the names.
  std::size_t mask_of(std::string_view who, std::string_view names) const {
    std::size_t mask = 0;
    for (auto name = internal::next_word(names); !name.empty(); name = internal::next_word(names))
      mask |= std::size_t{1} << found(who, name);
    return mask;
  }
  std::size_t find(std::string_view axis) const {
    auto const found = std::ranges::find(axes(), axis, &internal::MeshAxis::name);
    return static_cast<std::size_t>(found - axes().begin());
  }
  std::size_t found(std::string_view who, std::string_view axis) const {
    if (!has(axis))
      internal::fail<ValueError>({who, axis, std::string("an axis of \"").append(text()) + "\""});
    return find(axis);
  }

  std::shared_ptr<State const> state_;
  std::size_t independent_ = 0;  ///< A bit for each axis.
};

}  // namespace tenon

namespace tenon::internal {

template <>
struct tree::is_constant<Topology> : std::true_type {};

/// A row for each rank of a mesh, with its coordinates.
inline std::string table_of(Topology const& topology) {
  auto const cell = [](std::string text, std::size_t width) {
    return std::string((std::max)(width, text.size()) - text.size(), ' ') + std::move(text);
  };
  auto const width = [](MeshAxis const& axis) {
    return std::max<std::size_t>(axis.name.size(), 3) + 2;
  };
  std::string text = std::string("mesh \"").append(topology.text()) + "\"\n  rank";
  for (auto const& axis : topology.axes()) text += cell(axis.name, width(axis));
  for (int rank = 0; rank < topology.group().size(); ++rank) {
    text.append("\n").append(cell(std::to_string(rank), 6));
    for (std::size_t k = 0; k < topology.axes().size(); ++k)
      text += cell(std::to_string(topology.rank_of(rank, k)), width(topology.axes()[k]));
  }
  return text + "\n";
}

/// Rank 0 prints the table of a mesh.
inline void print(Topology const& topology) {
  if (topology.group().rank() == 0) std::fputs(table_of(topology).c_str(), stdout);
}

}  // namespace tenon::internal

namespace tenon {

using internal::print;

}  // namespace tenon
