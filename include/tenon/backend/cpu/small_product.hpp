#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstring>
#include <type_traits>
#include <utility>

#include <tenon/eval/contraction.hpp>

/// Products of tensors that hold their elements: every size and stride is known to the compiler,
/// which unrolls the loops and keeps the sums in registers. (A plan made at run time costs twenty
/// times what a 4 x 4 product does.)
namespace tenon {

/// A register of so many elements: a vector extension of g++ and clang, so that it does not hang on
/// the compiler's taste which loops become vectors.
template <class T, int width>
struct RegisterOf {
  using Vector [[gnu::vector_size(static_cast<std::size_t>(width) * sizeof(T))]] = T;
};
template <class T>
struct RegisterOf<T, 1> {
  using Vector = T;
};

/// Elements side by side. Lanes beyond `count` are zeros.
template <class T, int count>
struct SideBySide {
  static constexpr int width = static_cast<int>(std::bit_ceil(static_cast<unsigned>(count)));
  typename RegisterOf<T, width>::Vector elements{};

  template <std::int64_t step>
  [[gnu::always_inline]] void load(T const* from) {
    if constexpr (step == 1 && count == width) std::memcpy(&elements, from, sizeof elements);
    else load<step>(from, std::make_integer_sequence<int, width>());
  }
  [[gnu::always_inline]] void add_product(SideBySide const& a, SideBySide const& b) {
    elements += a.elements * b.elements;
  }
  [[gnu::always_inline]] void store(T* to) const {
    if constexpr (count == width) std::memcpy(to, &elements, sizeof elements);
    else
      for (int i = 0; i < count; ++i) to[i] = elements[i];
  }

 private:
  template <std::int64_t step, int... i>
  [[gnu::always_inline]] void load(T const* from, std::integer_sequence<int, i...>) {
    elements = decltype(elements){(i < count ? from[i < count ? i * step : 0] : T(0))...};
  }
};

/// The steps through a tensor along the axes of a product's operand, from its type alone.
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

/// The first element of a product's operand.
template <TensorType E>
constexpr auto const* first_of(E const& tensor) {
  return tensor.data();
}
template <class E, PackedMap order, Spec S>
constexpr auto const* first_of(Moved<E, order, S> const& e) {
  return e.operand.data() + offset(known_strides<E>(), e.start, E::rank);
}

/// A product's labels: the columns step by one in the result, the others are rows or summed.
template <class A, class B, class Rule>
struct SmallProduct {
  static constexpr Contraction const& rule = Rule::contraction;

  static constexpr LoopLabels labels(bool in_result) {
    auto const a = label_steps(rule.left, known_strides<A>());
    auto const b = label_steps(rule.right, known_strides<B>());
    auto const c = label_steps(rule.out, row_major(static_sizes(rule.shape), rule.shape.rank));
    LoopLabels chosen;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rule.labels); ++i) {
      LoopLabel const label{rule.extents[i], a[i], b[i], c[i]};
      if (label.extent != 1 && label.in_result() == in_result) chosen.add(label);
    }
    return chosen;
  }

  /// The column, taken out of the labels of the result.
  static constexpr LoopLabel column_of(LoopLabels& labels) {
    bool found = false;
    return labels.take_unit(found);
  }
  static constexpr LoopLabel column = [] {
    LoopLabels all = labels(true);
    return column_of(all);
  }();

  template <bool is_summed>
  static constexpr auto places = [] {
    constexpr LoopLabels walked = [] {
      LoopLabels all = labels(!is_summed);
      if constexpr (!is_summed) (void)column_of(all);
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

/// Is a product to be unrolled?
template <class E>
inline constexpr bool is_small_product = false;
template <class A, class B, class Rule>
inline constexpr bool is_small_product<Contract<A, B, Rule>> =
    is_small<Contract<A, B, Rule>> && std::floating_point<typename A::value_type>;

/// Some columns of all rows of a product, from the column `first` on.
template <class P, int columns, class T>
[[gnu::always_inline]] inline void multiply_columns(T const* a, T const* b, T* c,
                                                    std::int64_t first) {
  a += first * P::column.a;
  b += first * P::column.b;
  SideBySide<T, columns> sums[P::rows.size()];
  for (std::size_t i = 0; i < P::rows.size(); ++i) {
    for (LoopLabel const& inner : P::summed) {
      SideBySide<T, columns> x, y;
      x.template load<P::column.a>(a + P::rows[i].a + inner.a);
      y.template load<P::column.b>(b + P::rows[i].b + inner.b);
      sums[i].add_product(x, y);
    }
  }
  for (std::size_t i = 0; i < P::rows.size(); ++i) sums[i].store(c + P::rows[i].c + first);
}

/// Computes a small product to `out`, row-major, in the order of the definition.
template <class A, class B, class Rule>
[[gnu::always_inline]] inline void small_product(Contract<A, B, Rule> const& e,
                                                 typename A::value_type* out) {
  using T = typename A::value_type;
  using P = SmallProduct<A, B, Rule>;
  if constexpr (P::column.extent > 0 && !P::rows.empty()) {
    constexpr auto at_once = static_cast<std::int64_t>(64 / sizeof(T));
    constexpr int left = static_cast<int>(P::column.extent % at_once);
    T const *const a = first_of(e.a), *const b = first_of(e.b);
    std::int64_t j = 0;
    for (; j + at_once <= P::column.extent; j += at_once)
      multiply_columns<P, int{at_once}>(a, b, out, j);
    if constexpr (left > 0) multiply_columns<P, left>(a, b, out, j);
  }
}

}  // namespace tenon
