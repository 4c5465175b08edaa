#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tenon/core/config.hpp>

/// Boxes (hyperrectangles) of tensors: held by a rank, stored in a file, and their intersections.
namespace tenon::internal::checkpoints {

using Numbers = std::vector<std::int64_t>;

struct Box {
  Numbers begin;   ///< The first index along each axis,
  Numbers extent;  ///< and the sizes.

  friend auto operator<=>(Box const&, Box const&) = default;
  std::int64_t end(std::size_t axis) const { return begin[axis] + extent[axis]; }
};

inline Box whole_box(Numbers const& sizes) { return {Numbers(sizes.size()), sizes}; }

inline std::int64_t volume(Numbers const& extent) {
  std::int64_t product = 1;
  for (auto const size : extent) product *= size;
  return product;
}

/// The intersection of two boxes of a tensor.
inline Box common(Box const& a, Box const& b) {
  Box both = a;
  for (std::size_t axis = 0; axis < a.begin.size(); ++axis) {
    both.begin[axis] = (std::max)(a.begin[axis], b.begin[axis]);
    std::int64_t const end = (std::min)(a.end(axis), b.end(axis));
    both.extent[axis] = std::max<std::int64_t>(0, end - both.begin[axis]);
  }
  return both;
}

/// Whether a box lies within a tensor of these sizes.
inline bool lies_within(Box const& box, Numbers const& sizes) {
  if (box.begin.size() != sizes.size() || box.extent.size() != sizes.size()) return false;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if (box.begin[axis] > sizes[axis] || box.extent[axis] > sizes[axis] - box.begin[axis])
      return false;
  }
  return true;
}

/// Numbers joined by a separator.
inline std::string joined(Numbers const& numbers, std::string const& between) {
  std::string text;
  for (auto const number : numbers)
    text.append(text.empty() ? "" : between).append(std::to_string(number));
  return text;
}

/// A box in Python's slice notation: "0:4,3:6".
inline std::string text_of(Box const& box) {
  std::string text;
  for (std::size_t axis = 0; axis < box.begin.size(); ++axis)
    text.append(text.empty() ? "" : ",")
        .append(std::to_string(box.begin[axis]))
        .append(":")
        .append(std::to_string(box.end(axis)));
  return text;
}

/// Contiguous elements both in the box of a file and in another one. Offsets and count are bytes.
struct Run {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::size_t bytes = 0;
};

/// The intersection of two boxes as runs, in file order.
class Runs {
 public:
  Runs(Box const& from, Box const& to, std::size_t element)
      : from_(from), to_(to), both_(common(from, to)), element_(element) {
    for (axis_ = from.begin.size(); axis_ > 0 && run_ == after_;) {
      run_ *= both_.extent[--axis_];
      after_ *= from.extent[axis_] == to.extent[axis_] ? from.extent[axis_] : -1;
    }
  }

  template <class F>
  void for_each(F const& use) const {
    if (volume(both_.extent) == 0) return;
    Numbers at = both_.begin;
    auto const bytes = static_cast<std::size_t>(run_) * element_;
    do use(Run{place(from_, at), place(to_, at), bytes});
    while (next(at));
  }

 private:
  std::uint64_t place(Box const& box, Numbers const& at) const {
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis)
      place = place * box.extent[axis] + at[axis] - box.begin[axis];
    return static_cast<std::uint64_t>(place) * element_;
  }

  /// Advances to the next run; the axes from `axis_` on are inside a run.
  bool next(Numbers& at) const {
    for (std::size_t axis = axis_; axis-- > 0;) {
      if (++at[axis] < both_.end(axis)) return true;
      at[axis] = both_.begin[axis];
    }
    return false;
  }

  Box const& from_;
  Box const& to_;
  Box both_;
  std::size_t element_;
  std::size_t axis_ = 0;
  std::int64_t run_ = 1;    ///< Elements of a run,
  std::int64_t after_ = 1;  ///< and if the last axes are complete in both.
};

}  // namespace tenon::internal::checkpoints
