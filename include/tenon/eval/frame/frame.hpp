#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tenon/eval/access.hpp>
#include <tenon/op/arithmetic.hpp>
#include <tenon/op/cast.hpp>

namespace tenon::internal {

/// How the innermost run of a row walks over memory.
enum class FrameReach {
  unit,     ///< Consecutive elements.
  spread,   ///< One element for the whole run.
  strided,  ///< In steps known at run time.
};

/// The number of nested reductions in a formula. The deeper of two operands is prepared first, so
/// that a shared subexpression is computed in the innermost reduction that needs it.
template <class F>
inline constexpr int reduction_depth = 0;

/// Whether a frame has values that are computed once per row. One without has nothing to share,
/// prepare or pass back.
template <class F>
inline constexpr bool has_row_values = true;

/// The type of the adjoint of an op's value: the same type, but `float` for the 16-bit dtypes.
template <class V>
struct AdjointOfValue {
  using type = V;
};
template <class V>
  requires NarrowType<intrinsics::scalar_of<V>>
struct AdjointOfValue<V> {
  using type = decltype(op::Cast<float>::f(std::declval<V>()));
};
template <class V>
using AdjointValue = typename AdjointOfValue<V>::type;

/// Contiguous elements or a constant, in a loop without layout.
struct InputAddress {
  void const* at;
};

/// A frame is a node of a running kernel: the expression without its specs, so that equal formulas
/// of different shapes share their code. `M` is the machine: scalars, or the lanes of a processor.
/// A frame that is not a map is an input of the formula of its row:
///
///   same(other)  equal leaves (of an equal type): equal values
///   rows(f)      f(frame) for every frame that stores a row of values
///   prepare()    computes reductions and row scalars, deepest first
///   back()       passes the adjoints of reductions and row scalars on, in reverse order
///
/// A frame without `has_row_values` has none of rows, share, prepare and back.
///
///   Reader  what a loop reads: reader(j, n) are the lanes j … j+n-1 of the run; without one a copy
///           of the frame is read, by trace(j, n)
///   Writer  where a loop adds adjoints: writer(x, g, j, n) adds the adjoint g of these lanes,
///           whose values are x; without one the frame does, by backward(x, g, j, n)
///
/// Both can advance(frame, distance): their accesses move by distance(access).
template <class M, class T, FrameReach reach>
struct LeafFrame {
  using value_type = T;
  using V = typename M::template vector<T>;
  using Sum = Computed<T>;  ///< The dtype in which adjoints are accumulated.

  MemoryAccess access;

  struct Reader {
    T const* from;
    std::int64_t inner;

    TENON_INLINE explicit Reader(LeafFrame const& leaf)
        : from(reinterpret_cast<T const*>(leaf.access.data) + leaf.access.now),
          inner(leaf.access.inner) {}
    TENON_INLINE explicit Reader(InputAddress input)
        : from(static_cast<T const*>(input.at)), inner(1) {}
    TENON_INLINE V operator()(std::int64_t j, int n) const {
      if constexpr (reach == FrameReach::spread) return V(*from);
      else if constexpr (reach == FrameReach::unit)
        return n == M::count ? M::load(from + j) : M::load(from + j, n);
      else return M::load_strided(from + j * inner, inner, n);
    }
    template <class Distance>
    TENON_INLINE void advance(LeafFrame const& leaf, Distance const& distance) {
      from += distance(leaf.access);
    }
  };

  bool same(LeafFrame const& other) const { return access.same(other.access); }

  struct Writer {
    Sum* to;  ///< Null where no adjoint is needed.
    std::int64_t inner;

    TENON_INLINE Writer(Sum* at, std::int64_t step) : to(at), inner(step) {}
    TENON_INLINE explicit Writer(LeafFrame const& leaf)
        : to(leaf.access.gradient == nullptr
                 ? nullptr
                 : reinterpret_cast<Sum*>(leaf.access.gradient) + leaf.access.now),
          inner(leaf.access.inner) {}
    template <class Distance>
    TENON_INLINE void advance(LeafFrame const& leaf, Distance const& distance) {
      if (to != nullptr) to += distance(leaf.access);
    }
    TENON_INLINE void operator()(V const&, AdjointValue<V> adjoint, std::int64_t j, int n) const {
      if (to == nullptr) return;
      if constexpr (reach == FrameReach::spread)
        *to += M::template reduction<op::Add>(adjoint, n, Sum(0));
      else if constexpr (reach == FrameReach::unit) add(to + j, adjoint, n);
      else
        for (int i = 0; i < n; ++i) to[(j + i) * inner] += M::lane(adjoint, i);
    }

   private:
    TENON_INLINE static void add(Sum* to, AdjointValue<V> adjoint, int n) {
      if (n == M::count) M::store(M::load(to) + adjoint, to);
      else M::store(M::load(to, n) + adjoint, to, n);
    }
  };
};

template <class M, class T, FrameReach reach>
inline constexpr bool has_row_values<LeafFrame<M, T, reach>> = false;

/// A constant of the expression, the same in every lane.
template <class M, class T>
struct ConstantFrame {
  using value_type = T;
  using V = typename M::template vector<T>;

  T value;

  struct Reader {
    V value;
    TENON_INLINE explicit Reader(ConstantFrame const& constant) : value(constant.value) {}
    TENON_INLINE explicit Reader(InputAddress input) : value(*static_cast<T const*>(input.at)) {}
    TENON_INLINE V operator()(std::int64_t, int) const { return value; }
    template <class Distance>
    TENON_INLINE void advance(ConstantFrame const&, Distance const&) {}
  };

  /// Compares bits: 0 and -0 differ, and a NaN equals itself.
  bool same(ConstantFrame const& other) const {
    return std::memcmp(&value, &other.value, sizeof(T)) == 0;
  }
  struct Writer {
    TENON_INLINE explicit Writer(ConstantFrame const&) {}
    template <class Distance>
    TENON_INLINE void advance(ConstantFrame const&, Distance const&) {}
    TENON_INLINE void operator()(V const&, AdjointValue<V> const&, std::int64_t, int) const {}
  };
};

template <class M, class T>
inline constexpr bool has_row_values<ConstantFrame<M, T>> = false;

}  // namespace tenon::internal
