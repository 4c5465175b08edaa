#pragma once

#include <tenon/eval/frame/frame.hpp>

namespace tenon::internal {

/// Elements of a table chosen by ids. Where the ids are constant along a run, the run is read as a
/// leaf at another offset; where they vary (`by_lane`), every lane reads its own id.
template <class M, class T, class I, FrameReach reach, bool by_lane>
struct GatherFrame {
  using value_type = T;
  using V = typename M::template vector<T>;

  LeafFrame<M, T, reach> table;
  MemoryAccess ids;
  std::int64_t stride = 0;  ///< From one row of the table to the next, in elements.

  /// Moves both by `distance(access)` elements.
  template <class Distance>
  TENON_INLINE void move(Distance const& distance) {
    table.access.now += distance(table.access);
    ids.now += distance(ids);
  }

  bool same(GatherFrame const& other) const {
    return table.same(other.table) && ids.same(other.ids) && stride == other.stride;
  }

  TENON_INLINE V trace(std::int64_t j, int n) const {
    if constexpr (!by_lane) {
      return typename LeafFrame<M, T, reach>::Reader{shifted()}(j, n);
    } else {
      T const* from = reinterpret_cast<T const*>(table.access.data) + table.access.now;
      T found[static_cast<std::size_t>(M::count)]{};
      for (int i = 0; i < n; ++i) found[i] = from[place(j + i)];
      return M::load(found, n);
    }
  }

  /// Adds adjoints to the elements of the table that the ids choose.
  struct Writer {
    using Sum = Computed<T>;
    Sum* to;  ///< Null where no adjoint is needed.
    I const* ids;
    std::int64_t inner, ids_inner, stride;

    TENON_INLINE explicit Writer(GatherFrame const& gather)
        : to(typename LeafFrame<M, T, reach>::Writer(gather.table).to),
          ids(reinterpret_cast<I const*>(gather.ids.data) + gather.ids.now),
          inner(gather.table.access.inner),
          ids_inner(gather.ids.inner),
          stride(gather.stride) {}
    template <class Distance>
    TENON_INLINE void advance(GatherFrame const& gather, Distance const& distance) {
      if (to != nullptr) to += distance(gather.table.access);
      ids += distance(gather.ids);
    }
    TENON_INLINE void operator()(V const& x, AdjointValue<V> adjoint, std::int64_t j, int n) const {
      if constexpr (AdjointSum<Sum>) {
        if (to == nullptr) return;
        if constexpr (!by_lane) {
          typename LeafFrame<M, T, reach>::Writer{to + offset(0), inner}(x, adjoint, j, n);
        } else {
          for (int i = 0; i < n; ++i) to[(j + i) * inner + offset(j + i)] += M::lane(adjoint, i);
        }
      }
    }

   private:
    std::int64_t offset(std::int64_t j) const {
      return static_cast<std::int64_t>(ids[j * ids_inner]) * stride;
    }
  };

 private:
  std::int64_t id(std::int64_t j) const {
    return static_cast<std::int64_t>(reinterpret_cast<I const*>(ids.data)[ids.now + j]);
  }
  std::int64_t place(std::int64_t j) const {
    return j * table.access.inner + id(j * ids.inner) * stride;
  }
  LeafFrame<M, T, reach> shifted() const {
    LeafFrame<M, T, reach> leaf = table;
    leaf.access.now += id(0) * stride;
    return leaf;
  }
};

template <class M, class T, class I, FrameReach reach, bool by_lane>
inline constexpr bool has_row_values<GatherFrame<M, T, I, reach, by_lane>> = false;

}  // namespace tenon::internal
