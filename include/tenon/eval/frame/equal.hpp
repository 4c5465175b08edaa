#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tenon/eval/frame/formula.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/op/arithmetic.hpp>

namespace tenon::internal {

/// Common subexpression elimination in a kernel: frames of equal type have equal code, and with
/// equal leaves equal values. Reductions and row scalars are entered in post-order; a repeated one
/// is computed only once.
class SharedFrames {
 public:
  /// The distance in bytes from `frame` to the frame that computes its value; 0 is itself.
  template <class Frame>
  std::ptrdiff_t enter(Frame const& frame) {
    return enter({&type_of<Frame>, &frame, [](void const* a, void const* b) {
                    return static_cast<Frame const*>(a)->same(*static_cast<Frame const*>(b));
                  }});
  }

 private:
  template <class Frame>
  static inline char type_of = 0;  // not a constant: constants of equal value may be merged

  struct Entry {
    void const* type;
    void const* frame;
    bool (*same)(void const*, void const*);
  };

  std::ptrdiff_t enter(Entry const& entry) {
    for (std::size_t i = 0; i < count_; ++i) {
      Entry const& other = entries_[i];
      if (other.type == entry.type && entry.same(other.frame, entry.frame))
        return static_cast<std::byte const*>(other.frame) -
               static_cast<std::byte const*>(entry.frame);
    }
    if (count_ < entries_.size()) entries_[count_++] = entry;
    return 0;
  }

  std::array<Entry, 32> entries_;
  std::size_t count_ = 0;
};

/// A value that is computed once per row, and its adjoint, to which the row's lanes add. `Frame`
/// adds compute(), which reads the frame of its operand, and backward_down(adjoint), which passes
/// the adjoint on to it. `compute_rows(group)` are the values of several rows, one in each lane.
template <class M, class Frame, class F, class T>
struct RowValue {
  using value_type = T;
  using V = typename M::template vector<T>;

  Formula<F> frame;
  T value{};
  std::array<T, std::size_t{M::count}> values;  ///< Those of several rows.
  std::array<V, 4> adjoints{};  ///< Used in rotation: a single sum would serialise on store-to-load
                                ///< latency.
  std::ptrdiff_t distance = 0;  ///< In bytes, to the equal frame that computes the value; 0 is this
                                ///< one.
  bool is_wanted = false;       ///< True once an adjoint was added. (Not where gradients stop.)

  struct Reader {
    V value;
    TENON_INLINE explicit Reader(RowValue const& of) : value(of.value) {}
    TENON_INLINE V operator()(std::int64_t, int) const { return value; }
    template <class Distance>
    TENON_INLINE void advance(RowValue const&, Distance const&) {}
  };

  template <class Visit>
  TENON_INLINE void rows(Visit const& f) {
    if constexpr (has_row_values<F>) frame.rows(f);
  }
  template <class R>
  void share(R& shared) {
    if constexpr (has_row_values<F>) frame.share(shared);
    distance = shared.enter(self());
  }

  void prepare() {
    if (distance != 0) {
      value = owner().value;
    } else {
      self().prepare_operand();
      value = self().compute();
    }
  }
  void prepare_operand() {
    if constexpr (has_row_values<F>) frame.prepare();
  }
  void prepare_rows(RowGroup const& group) {
    if (distance != 0) {
      values = owner().values;
    } else {
      if constexpr (has_row_values<F>) frame.prepare_rows(group);
      M::store(self().compute_rows(group), values.data());
    }
    value = values[0];
  }

  struct Writer {
    V* sums;
    bool* is_wanted;
    TENON_INLINE explicit Writer(RowValue& of)
        : sums(of.owner().adjoints.data()), is_wanted(&of.owner().is_wanted) {}
    template <class Distance>
    TENON_INLINE void advance(RowValue const&, Distance const&) {}
    TENON_INLINE void operator()(V const&, V share, std::int64_t j, int n) const {
      V& sum = sums[static_cast<std::size_t>(j / M::count) % 4];
      sum = sum + (n == M::count ? share : M::first(share, n, T(0)));
      *is_wanted = true;
    }
  };

  void back() {
    if (distance != 0) return;
    if constexpr (AdjointSum<T>) {
      if (is_wanted) self().backward_down(take_adjoint());
      is_wanted = false;
    }
    if constexpr (has_row_values<F>) frame.back();
  }

 private:
  Frame& self() { return *static_cast<Frame*>(this); }

  /// The frame that computes this value: same type, in the same tree, so the distance survives
  /// copies of the tree.
  Frame& owner() {
    return *reinterpret_cast<Frame*>(reinterpret_cast<std::byte*>(&self()) + distance);
  }

  /// The adjoint so far; resets it to zero.
  T take_adjoint() {
    V const all = (adjoints[0] + adjoints[1]) + (adjoints[2] + adjoints[3]);
    adjoints.fill(V(T(0)));
    return M::template reduction<op::Add>(all, M::count, T(0));
  }
};

}  // namespace tenon::internal
