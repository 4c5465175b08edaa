#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tenon/op/arithmetic.hpp>

namespace tenon {

/// Finds equal subexpressions of a kernel: equal type gives the code, equal leaves give the value.
/// Folds and row scalars enter in post-order; one that was there before is computed only once.
class SharedFrames {
 public:
  /// The distance in bytes from `frame` to the frame that computes its value; 0 is itself.
  template <class Frame>
  std::ptrdiff_t enter(Frame const& frame) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (entries_[i].type != &type_of<Frame>) continue;
      auto const* const other = static_cast<Frame const*>(entries_[i].frame);
      if (other->same(frame))
        return reinterpret_cast<std::byte const*>(other) -
               reinterpret_cast<std::byte const*>(&frame);
    }
    if (count_ < entries_.size()) entries_[count_++] = {&type_of<Frame>, &frame};
    return 0;
  }

 private:
  template <class Frame>
  static inline char const type_of = 0;

  struct Entry {
    void const* type = nullptr;
    void const* frame = nullptr;
  };
  std::array<Entry, 32> entries_{};
  std::size_t count_ = 0;
};

/// A value that is computed once a row, and its adjoint, which the row's lanes add up.
template <class M, class Frame, class T>
struct RowValue {
  using value_type = T;
  using V = typename M::template vector<T>;
  using Trace = V;

  T value{};
  V adjoint{};
  std::ptrdiff_t distance = 0;  ///< To the equal frame that computes; 0 is this one.

  static V of(Trace const& trace) { return trace; }
  [[gnu::always_inline]] V trace(std::int64_t, int) const { return V(value); }

  void pull(Trace const&, V share, std::int64_t, int n) {
    V& sum = owner().adjoint;
    sum = sum + (n == M::count ? share : M::first(share, n, T(0)));
  }

 protected:
  /// The frame that computes this value: same type, in the same tree, so the distance survives
  /// copies of the tree.
  Frame& owner() {
    return *reinterpret_cast<Frame*>(reinterpret_cast<std::byte*>(static_cast<Frame*>(this)) +
                                     distance);
  }

  /// The adjoint so far; it starts again from zero.
  T take_adjoint() {
    T const sum = M::template fold<op::Add>(adjoint, M::count, T(0));
    adjoint = V(T(0));
    return sum;
  }
};

}  // namespace tenon
