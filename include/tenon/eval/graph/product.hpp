#pragma once

#include <tenon/eval/contract/product.hpp>
#include <tenon/eval/graph/number.hpp>

namespace tenon::internal::graph {

/// A contraction over labels, as in `Contraction`; its derivatives are contractions over the same
/// labels. `multiply` is the backend's.
struct Contracting {
  using Multiply = void (*)(LoopLabels const&, void const*, void const*, void*);

  AxisMap left, right, out;
  LabelExtents extents;
  std::size_t labels;
  Multiply multiply;

  LoopLabels steps(Sizes const& a, Sizes const& b, Sizes const& c) const {
    auto const in_a = label_steps(left, a), in_b = label_steps(right, b);
    auto const in_c = label_steps(out, c);
    LoopLabels all;
    for (std::size_t i = 0; i < labels; ++i) all.add({extents[i], in_a[i], in_b[i], in_c[i]});
    return all;
  }
  /// The adjoint of the left operand from that of the result and the right one.
  Contracting for_left() const { return {out, right, left, extents, labels, multiply}; }
  /// The adjoint of the right operand from that of the result and the left one.
  Contracting for_right() const { return {out, left, right, extents, labels, multiply}; }
};

template <class Backend, class T>
void multiply_as(LoopLabels const& labels, void const* a, void const* b, void* c) {
  multiply_labels<Backend>(labels, static_cast<T const*>(a), static_cast<T const*>(b),
                           static_cast<T*>(c), true);
}

}  // namespace tenon::internal::graph
