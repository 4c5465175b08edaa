#pragma once

#include <tenon/eval/frame/row.hpp>
#include <tenon/eval/rows/group.hpp>

namespace tenon::internal {

/// A row of at most this many elements is stored even though it is read once: it stays in the
/// caches, and the backward pass does not recompute it.
inline constexpr std::int64_t longest_stored_row = 16384;

/// A costly part of a row's formula that occurs several times in its type. The first of the frames
/// with equal leaves stores its values for the row and accumulates its adjoints, which are passed
/// on once. A row of several runs, and a long one that occurs once, is recomputed where it is read.
template <class M, class F>
struct SharedFrame {
  using value_type = typename F::value_type;
  using T = value_type;
  using V = typename F::V;

  Formula<F> frame;
  ScratchRow row;
  T* values = nullptr;    ///< Of the row; null where it is not stored.
  T* adjoints = nullptr;  ///< Of the row.
  T adjoint_of_all{};     ///< Added to each of them.
  std::ptrdiff_t distance = 0;
  bool is_stored = false;

  void enter_row(ScratchRow const& own) {
    row = own;
    frame.enter_row(own);
  }
  /// Calls `f(shared)` for every frame that stores a row.
  template <class Visit>
  TENON_INLINE void rows(Visit const& f) {
    if constexpr (has_row_values<F>) frame.rows(f);
    if (is_stored && distance == 0) f(*this);
  }
  template <class R>
  void share(R& shared) {
    if constexpr (has_row_values<F>) frame.share(shared);
    if (row.rank != 1) return;
    distance = shared.enter(*this);
    if (distance != 0) is_stored = owner().is_stored = true;
    else is_stored = row.inner() <= longest_stored_row;
  }
  bool same(SharedFrame const& other) const {
    return row.sizes == other.row.sizes && frame.same(other.frame);
  }

  /// Memory for one row of values and adjoints.
  std::int64_t elements() const { return 2 * row.inner(); }
  void place(T* memory) {
    values = memory;
    adjoints = memory + row.inner();
  }
  /// Called before the backward sweep of a row.
  void clear_adjoints() {
    std::fill_n(adjoints, row.inner(), T(0));
    adjoint_of_all = T(0);
  }

  void prepare() {
    prepare_operand();
    if (is_stored && distance == 0) store_values<M, F>(frame, values, 0, row.inner());
  }
  /// For a reduction that computes the row itself, element by element.
  void prepare_operand() {
    if (distance != 0) values = owner().values;
    else if constexpr (has_row_values<F>) frame.prepare();
  }

  struct Reader {
    Readers<F> from;
    T* values;
    bool is_stored;
    TENON_INLINE explicit Reader(SharedFrame const& shared)
        : from(shared.frame), values(shared.values), is_stored(shared.is_stored) {}
    TENON_INLINE V operator()(std::int64_t j, int n) const {
      return is_stored ? get(values + j, n) : value_alone(from, j, n);
    }
    template <class Distance>
    TENON_INLINE void advance(SharedFrame const& shared, Distance const& by) {
      from.advance(shared.frame, by);
    }
  };
  struct Writer {
    SharedFrame& frame;
    T* adjoints;
    bool is_stored;
    TENON_INLINE explicit Writer(SharedFrame& to)
        : frame(to), adjoints(to.owner().adjoints), is_stored(to.is_stored) {}
    TENON_INLINE void operator()(V const&, V adjoint, std::int64_t j, int n) const {
      if (!is_stored) return frame.backward_alone(adjoint, j, n);
      put(adjoints + j, get(adjoints + j, n) + adjoint, n);
    }
  };
  /// The values for a reduction over the row, stored as they are computed.
  struct RowReader : Reader {
    bool computes;
    TENON_INLINE explicit RowReader(SharedFrame const& shared)
        : Reader(shared), computes(shared.distance == 0) {}
    TENON_INLINE V operator()(std::int64_t j, int n) const {
      if (!computes) return get(this->values + j, n);
      V const x = Trace<F>(this->from, j, n).value();
      if (this->is_stored) put(this->values + j, x, n);
      return x;
    }
  };

  /// Adds one adjoint to all elements of the row.
  void backward_all(T adjoint, Accesses const& walking) {
    if (is_stored) {
      owner().adjoint_of_all += adjoint;
    } else {
      for (RowRuns run(row, walking); run.left; run.go_on())
        walk_lanes<M>(0, row.inner(),
                      [&](std::int64_t j, int n) { backward_alone(V(adjoint), j, n); });
    }
  }

  void back() {
    if (distance != 0) return;
    if constexpr (AdjointSum<T>) {
      if (is_stored) backward_stored();
    }
    if constexpr (has_row_values<F>) frame.back();
  }

 private:
  [[gnu::noinline]] static V value_alone(Readers<F> const& from, std::int64_t j, int n) {
    return Trace<F>(from, j, n).value();
  }
  [[gnu::noinline]] void backward_alone(V adjoint, std::int64_t j, int n) {
    Adjoints<F>(Writers<F>(frame), Trace<F>(Readers<F>(frame), j, n), adjoint, j, n);
  }
  void backward_stored() {
    Readers<F> const from(frame);
    Writers<F> const to(frame);
    V const of_all = V(adjoint_of_all);
    walk_lanes<M>(0, row.inner(), [&](std::int64_t j, int n) {
      Trace<F> const x(from, j, n, get(values + j, n));
      Adjoints<F>(to, x, get(adjoints + j, n) + of_all, j, n);
    });
  }

  SharedFrame& owner() const {
    auto* const self = reinterpret_cast<std::byte*>(const_cast<SharedFrame*>(this));
    return *reinterpret_cast<SharedFrame*>(self + distance);
  }
  TENON_INLINE static V get(T const* from, int n) {
    return n == M::count ? M::load(from) : M::load(from, n);
  }
  TENON_INLINE static void put(T* to, V value, int n) {
    if (n == M::count) M::store(value, to);
    else M::store(value, to, n);
  }
};

template <class M, class F>
inline constexpr int reduction_depth<SharedFrame<M, F>> = reduction_depth<F>;

}  // namespace tenon::internal
