#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tenon/eval/access.hpp>
#include <tenon/op/arithmetic.hpp>
#include <tenon/op/cast.hpp>

namespace tenon {

/// How the innermost run of a row walks over memory.
enum class FrameReach {
  unit,     ///< Element after element.
  spread,   ///< One element for the whole run.
  strided,  ///< In steps known at run time.
};

/// How many folds lie one over the other in a formula. Of two operands the deeper is prepared
/// first: what both need is then computed where it lies deepest, in the fold that asks for it.
template <class F>
inline constexpr int fold_depth = 0;

/// Has a frame values that are computed once a row? One without has nothing to share, to prepare or
/// to pass back.
template <class F>
inline constexpr bool has_row_values = true;

/// The adjoint of a value of an op: a value of the same kind, for the 16-bit dtypes one of `float`.
template <class V>
struct AdjointOfValue {
  using type = V;
};
template <class V>
  requires HalfType<word::scalar_of<V>>
struct AdjointOfValue<V> {
  using type = decltype(op::Cast<float>::f(std::declval<V>()));
};
template <class V>
using AdjointValue = typename AdjointOfValue<V>::type;

/// A frame is a node of a kernel at work: the recipe without its specs, so that equal formulas over
/// other shapes share their code. `M` is the machine: scalars, or lanes of a processor. One that is
/// no map is an input of the formula of its row:
///
///   same(other)  equal leaves (of an equal type): equal values
///   rows(f)      f(frame) for every frame that keeps a row of values
///   prepare()    computes folds and row scalars, deepest first
///   back()       passes the adjoints of folds and row scalars on, in reverse order
///
/// One without `has_row_values` has none of rows, share, prepare and back.
///
///   Reader  what a loop reads: reader(j, n) are the lanes j … j+n-1 of the run; without one a copy
///           of the frame is read, by trace(j, n)
///   Writer  where a loop adds adjoints: writer(x, g, j, n) adds the adjoint g of these lanes, the
///           values of which are x; without one the frame does, by pull(x, g, j, n)
template <class M, class T, FrameReach reach>
struct LeafFrame {
  using value_type = T;
  using V = typename M::template vector<T>;
  using Sum = Computed<T>;  ///< What adjoints are added up in.

  MemoryAccess access;

  struct Reader {
    T const* from;
    std::int64_t inner;

    TENON_INLINE explicit Reader(LeafFrame const& leaf)
        : from(reinterpret_cast<T const*>(leaf.access.data) + leaf.access.now),
          inner(leaf.access.inner) {}
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
    Sum* to;  ///< Null where nobody wants the adjoint.
    std::int64_t inner;

    TENON_INLINE explicit Writer(LeafFrame const& leaf)
        : to(leaf.access.gradient == nullptr
                 ? nullptr
                 : reinterpret_cast<Sum*>(leaf.access.gradient) + leaf.access.now),
          inner(leaf.access.inner) {}
    TENON_INLINE void operator()(V const&, AdjointValue<V> adjoint, std::int64_t j, int n) const {
      if (to == nullptr) return;
      if constexpr (reach == FrameReach::spread)
        *to += M::template fold<op::Add>(adjoint, n, Sum(0));
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

/// A number of the language, the same in every lane.
template <class M, class T>
struct ConstantFrame {
  using value_type = T;
  using V = typename M::template vector<T>;

  T value;

  struct Reader {
    V value;
    TENON_INLINE explicit Reader(ConstantFrame const& constant) : value(constant.value) {}
    TENON_INLINE V operator()(std::int64_t, int) const { return value; }
    template <class Distance>
    TENON_INLINE void advance(ConstantFrame const&, Distance const&) {}
  };

  /// By its bits: 0 and -0 are two numbers, and a NaN is itself.
  bool same(ConstantFrame const& other) const {
    return std::memcmp(&value, &other.value, sizeof(T)) == 0;
  }
  struct Writer {
    TENON_INLINE explicit Writer(ConstantFrame const&) {}
    TENON_INLINE void operator()(V const&, AdjointValue<V> const&, std::int64_t, int) const {}
  };
};

template <class M, class T>
inline constexpr bool has_row_values<ConstantFrame<M, T>> = false;

}  // namespace tenon
