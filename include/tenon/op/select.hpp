#pragma once

#include <string_view>

#include <tenon/op/partials.hpp>

namespace tenon::op {

/// The one value where the mask is true, the other where it is not. The partials are masks, so that
/// an infinite derivative of the branch not taken never meets a zero.
struct Where {
  static constexpr std::string_view name = "where";
  static constexpr std::string_view onnx = "Where";
  template <class M, class V>
  static constexpr V f(M mask, V yes, V no) {
    return select(mask, yes, no);
  }
  template <class M, class V>
  static constexpr auto d(M mask, V, V, V) {
    return partials(Zero{}, mask, !mask);
  }
};

using Selections = List<Where>;

}  // namespace tenon::op
