#pragma once

#include <string_view>
#include <utility>

#include <tenon/op/function.hpp>
#include <tenon/op/partials.hpp>

namespace tenon::op {

/// The first value where the mask is true, else the second. The partials are masks, so that an
/// infinite derivative of the branch not taken is never multiplied by zero.
struct Where {
  static constexpr std::string_view name = "where";
  static constexpr std::string_view onnx = "Where";
  template <class M, class V>
    requires std::same_as<scalar_of<M>, bool> && requires(M m, V x) { select(m, x, x); }
  TENON_INLINE static constexpr V f(M mask, V yes, V no) {
    return select(mask, yes, no);
  }
  template <class M, class V>
  TENON_INLINE static constexpr auto d(M mask, V, V, V) {
    return partials(Zero{}, mask, !mask);
  }
};

using Selections = List<Where>;

}  // namespace tenon::op

namespace tenon {

/// `yes` where the mask is true, else `no`. All three broadcast, by names as in arithmetic: a mask
/// "image" selects among images "image height width". The last two are tensors of one dtype, or
/// numbers. Throws `ValueError` for a number outside the range of an integer dtype.
/// PyTorch, NumPy: `where`.
template <class M, class X, class Y, WellFormed R = MapOf<op::Where, M, X, Y>>
constexpr auto where(M&& mask, X&& yes, Y&& no) -> R {
  return map<op::Where>(std::forward<M>(mask), std::forward<X>(yes), std::forward<Y>(no));
}
template <class M, class X, class Y, IllFormed R = MapOf<op::Where, M, X, Y>>
auto where(M&& mask, X&& yes, Y&& no) -> R;

}  // namespace tenon
