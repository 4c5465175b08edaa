#pragma once

#include <tenon/eval/frame/row.hpp>
#include <tenon/eval/rows/store.hpp>

namespace tenon {

/// A costly part of a row's formula that stands in it several times: its values are kept for the
/// row by the first of the equal frames, and its adjoints added up there, to be pulled back once.
/// Where no equal frame turns up it is as if it were not there.
template <class M, class F>
struct SharedFrame {
  using value_type = typename F::value_type;
  using T = value_type;
  using V = typename F::V;
  using Trace = V;

  F frame;
  ScratchRow row;
  T* values = nullptr;    ///< Of the row; null where nothing is shared.
  T* adjoints = nullptr;  ///< Of the row.
  T adjoint_of_all{};     ///< What is to be added to each of them.
  std::ptrdiff_t distance = 0;
  bool is_shared = false;

  SharedFrame(F f, ScratchRow const& r) : frame(f), row(r) {}

  [[gnu::always_inline]] static V of(Trace const& trace) { return trace; }

  template <class Visit>
  [[gnu::always_inline]] void visit(Visit const& f) {
    frame.visit(f);
  }
  template <class Visit>
  [[gnu::always_inline]] void step(Visit const& f) {
    frame.step(f);
  }
  /// Calls `f(shared)` for every frame that keeps a row.
  template <class Visit>
  [[gnu::always_inline]] void rows(Visit const& f) {
    if constexpr (has_row_values<F>) frame.rows(f);
    if (is_shared && distance == 0) f(*this);
  }
  template <class R>
  void share(R& shared) {
    if constexpr (has_row_values<F>) frame.share(shared);
    distance = row.rank == 1 ? shared.enter(*this) : 0;
    if (distance != 0) is_shared = owner().is_shared = true;
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
  /// Before a row is swept.
  void clear_adjoints() {
    std::fill_n(adjoints, row.inner(), T(0));
    adjoint_of_all = T(0);
  }

  void prepare() {
    prepare_operand();
    if (is_shared && distance == 0)
      walk_runs<M>(row, frame, [&] { store_values<M>(frame, values, 0, row.inner()); });
  }
  /// The same for a fold that computes the row itself, element by element.
  void prepare_operand() {
    if (distance != 0) values = owner().values;
    else if constexpr (has_row_values<F>) frame.prepare();
  }
  [[gnu::always_inline]] V computed(std::int64_t j, int n) const {
    if (distance != 0) return get(values + j, n);
    V const x = F::of(frame.trace(j, n));
    if (is_shared) put(values + j, x, n);
    return x;
  }

  [[gnu::always_inline]] V trace(std::int64_t j, int n) const {
    if (!is_shared) return F::of(frame.trace(j, n));
    return get(values + j, n);
  }

  [[gnu::always_inline]] void pull(Trace const&, V adjoint, std::int64_t j, int n) {
    if (!is_shared) return frame.pull(frame.trace(j, n), adjoint, j, n);
    T* const sum = owner().adjoints + j;
    put(sum, get(sum, n) + adjoint, n);
  }
  /// The same for all elements of the row.
  void pull_all(T adjoint) {
    if (is_shared) owner().adjoint_of_all += adjoint;
    else
      walk<M>(row, frame,
              [&](std::int64_t j, int n) { frame.pull(frame.trace(j, n), V(adjoint), j, n); });
  }

  void back() {
    if (distance != 0) return;
    if constexpr (std::is_floating_point_v<T>) {
      if (is_shared) {
        V const of_all = V(adjoint_of_all);
        walk<M>(row, frame, [&](std::int64_t j, int n) {
          frame.pull(frame.trace(j, n, get(values + j, n)), get(adjoints + j, n) + of_all, j, n);
        });
      }
    }
    if constexpr (has_row_values<F>) frame.back();
  }

 private:
  SharedFrame& owner() const {
    auto* const self = reinterpret_cast<std::byte*>(const_cast<SharedFrame*>(this));
    return *reinterpret_cast<SharedFrame*>(self + distance);
  }
  [[gnu::always_inline]] static V get(T const* from, int n) {
    return n == M::count ? M::load(from) : M::load(from, n);
  }
  [[gnu::always_inline]] static void put(T* to, V value, int n) {
    if (n == M::count) M::store(value, to);
    else M::store(value, to, n);
  }
};

template <class M, class F>
inline constexpr int fold_depth<SharedFrame<M, F>> = fold_depth<F>;

}  // namespace tenon
