#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstring>
#include <type_traits>
#include <utility>

#include <tenon/backend/cpu/matmul/flat_product.hpp>
#include <tenon/eval/contract/contraction.hpp>
#include <tenon/eval/inline/backward.hpp>

/// Matmuls of inline tensors: all sizes and strides are static, loops are unrolled and sums kept in
/// registers. (A run-time plan costs twenty times as much as a 4 x 4 matmul.)
namespace tenon::internal {

/// Contiguous elements. Lanes beyond `count` are zero.
template <class T, int count>
struct SideBySide {
  static constexpr int width = static_cast<int>(std::bit_ceil(static_cast<unsigned>(count)));
  typename RegisterOf<T, width>::Vector elements{};

  template <std::int64_t step>
  TENON_INLINE void load(T const* from) {
    if constexpr (step == 1 && count == width) std::memcpy(&elements, from, sizeof elements);
    else load<step>(from, std::make_integer_sequence<int, width>());
  }
  TENON_INLINE void add_product(SideBySide const& a, SideBySide const& b) {
    elements += a.elements * b.elements;
  }
  TENON_INLINE void store(T* to) const {
    if constexpr (count == width) std::memcpy(to, &elements, sizeof elements);
    else
      for (int i = 0; i < count; ++i) to[i] = elements[i];
  }

 private:
  template <std::int64_t step, int... i>
  TENON_INLINE void load(T const* from, std::integer_sequence<int, i...>) {
    elements = decltype(elements){(i < count ? from[i < count ? i * step : 0] : T(0))...};
  }
};

/// The static strides of a tensor along the axes of an operand.
template <class E>
constexpr Sizes known_strides() {
  if constexpr (TensorType<E>) return row_major(static_sizes(E::shape), E::rank);
  else {
    Sizes const of_tensor = known_strides<typename E::operand_type>();
    Sizes strides{};
    for (int i = 0; i < E::shape.rank; ++i) {
      int const axis = E::order[static_cast<std::size_t>(i)];
      if (axis >= 0) at(strides, i) = at(of_tensor, axis);
    }
    return strides;
  }
}

/// The first element of an operand.
template <class E>
constexpr auto const* first_of(E const& e) {
  if constexpr (TensorType<E>) return stored_elements(e);
  else {
    using Base = OperandAt<0, E>;
    return stored_elements(operand_at<0>(e)) + offset(known_strides<Base>(), e.start, Base::rank);
  }
}

/// The labels of a contraction with static sizes and strides: of its operands, or of others with
/// the same axes.
template <class E, class A = OperandAt<0, E>, class B = OperandAt<1, E>>
struct KnownLabels {
  static constexpr LoopLabels all = [] {
    constexpr Contraction const& rule = E::contraction;
    auto const a = label_steps(rule.left, known_strides<A>());
    auto const b = label_steps(rule.right, known_strides<B>());
    auto const c = label_steps(rule.out, row_major(static_sizes(rule.shape), rule.shape.rank));
    LoopLabels labels;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rule.labels); ++i)
      if (rule.extents[i] != 1) labels.add({rule.extents[i], a[i], b[i], c[i]});
    return labels;
  }();
};

/// The same for the contractions that compute the adjoints of the operands, from that of the result
/// and the other operand.
template <class Labels, bool is_left>
struct TurnedLabels {
  static constexpr LoopLabels all = [] {
    LoopLabels labels;
    for (int i = 0; i < Labels::all.size; ++i) {
      LoopLabel const& of = Labels::all[i];
      labels.add({of.extent, of.c, is_left ? of.b : of.a, is_left ? of.a : of.b});
    }
    return labels;
  }();
};

/// The loop nest of a small matmul: columns have stride one in the result, other labels are rows or
/// summed.
template <class Labels>
struct SmallProduct {
  static constexpr LoopLabel column = Labels::all.chosen(true).take_unit();

  template <bool is_summed>
  static constexpr auto places = [] {
    constexpr LoopLabels walked = [] {
      LoopLabels all = Labels::all.chosen(!is_summed);
      if constexpr (!is_summed) (void)all.take_unit();
      return all;
    }();
    std::array<LoopLabel, static_cast<std::size_t>(walked.count())> places{};
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i] = walked.place(static_cast<std::int64_t>(i));
    return places;
  }();
  static constexpr auto const& rows = places<false>;
  static constexpr auto const& summed = places<true>;
};

/// Whether a contraction is unrolled.
template <class E>
inline constexpr bool is_small_product = false;
template <class E>
  requires(is_contract<E> && is_small<E> && std::floating_point<typename E::value_type>)
inline constexpr bool is_small_product<E> = Strided<OperandAt<0, E>> && Strided<OperandAt<1, E>>;

/// Some columns of all rows, from the column `first` on.
template <class P, int columns, bool accumulates, class T>
TENON_INLINE inline void multiply_columns(T const* a, T const* b, T* c, std::int64_t first) {
  a += first * P::column.a;
  b += first * P::column.b;
  c += first;
  SideBySide<T, columns> sums[P::rows.size()];
  for (std::size_t i = 0; i < P::rows.size(); ++i) {
    if constexpr (accumulates) sums[i].template load<1>(c + P::rows[i].c);
    for (LoopLabel const& inner : P::summed) {
      SideBySide<T, columns> x, y;
      x.template load<P::column.a>(a + P::rows[i].a + inner.a);
      y.template load<P::column.b>(b + P::rows[i].b + inner.b);
      sums[i].add_product(x, y);
    }
  }
  for (std::size_t i = 0; i < P::rows.size(); ++i) sums[i].store(c + P::rows[i].c);
}

/// Computes a small matmul to c (or adds it to c), in the order of the definition.
template <class Labels, bool accumulates, class T>
TENON_INLINE inline void multiply_small(T const* a, T const* b, T* c) {
  using P = SmallProduct<Labels>;
  if constexpr (is_flat_product<Labels, T>) multiply_flat<Labels, accumulates>(a, b, c);
  else if constexpr (P::column.extent > 0 && !P::rows.empty()) {
    constexpr auto at_once = static_cast<std::int64_t>(64 / sizeof(T));
    constexpr int left = static_cast<int>(P::column.extent % at_once);
    std::int64_t j = 0;
    for (; j + at_once <= P::column.extent; j += at_once)
      multiply_columns<P, int{at_once}, accumulates>(a, b, c, j);
    if constexpr (left > 0) multiply_columns<P, left, accumulates>(a, b, c, j);
  }
}

/// Computes a small matmul to `out`, row-major.
template <class E>
TENON_INLINE inline void small_product(E const& e, typename E::value_type* out) {
  multiply_small<KnownLabels<E>, false>(first_of(operand_at<0>(e)), first_of(operand_at<1>(e)),
                                        out);
}

/// Adds the adjoint of one operand of a small matmul to that of its tensor: the matmul of the
/// result's adjoint with the other operand. (If the operand reads an element twice, as sliding
/// windows do, its adjoint is computed separately first.)
template <class Labels, class T, class Kept, class Other>
TENON_INLINE inline void backward_small_operand(T const* adjoint, Kept const& operand,
                                                Other const& other, Tape& tape) {
  auto const& base = base_of(operand);
  constexpr std::size_t bytes = sizeof(T) * Unqualified<decltype(base)>::static_count;
  bool is_new = false;
  auto* const to = reinterpret_cast<T*>(tape.inline_gradient_of<bytes>(base.mark(), is_new));
  if (to == nullptr) return;
  if constexpr (ir::overlaps(node_type<Kept>)) {
    std::array<T, static_cast<std::size_t>(TensorOf<Kept>::static_count)> own{};
    multiply_small<Labels, true>(adjoint, first_of(other), own.data());
    backward_inline_map<ScalarMachine>(operand, own.data(), tape);
  } else {
    multiply_small<Labels, true>(adjoint, first_of(other),
                                 to + (first_of(operand) - stored_elements(base)));
  }
}

/// The layout of an operand's adjoint: that of the operand, or separate.
template <class E>
using AdjointOf = std::conditional_t<ir::overlaps(node_type<E>), TensorOf<E>, E>;

/// Adds the adjoint of a small matmul to those of its operands.
template <class E>
TENON_INLINE inline void backward_small_product(E const& e, typename E::value_type const* adjoint,
                                                Tape& tape) {
  using A = OperandAt<0, E>;
  using B = OperandAt<1, E>;
  using Left = TurnedLabels<KnownLabels<E, AdjointOf<A>, B>, true>;
  using Right = TurnedLabels<KnownLabels<E, A, AdjointOf<B>>, false>;
  backward_small_operand<Left>(adjoint, operand_at<0>(e), operand_at<1>(e), tape);
  backward_small_operand<Right>(adjoint, operand_at<1>(e), operand_at<0>(e), tape);
}

}  // namespace tenon::internal
