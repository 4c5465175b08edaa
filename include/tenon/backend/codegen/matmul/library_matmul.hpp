#pragma once

#include <tenon/backend/codegen/matmul/epilogue.hpp>
#include <tenon/eval/contract/backward.hpp>

/// Matmuls computed by a library of the device.
namespace tenon::internal::codegen {

/// A batched matmul with elements `T` and accumulators `R`: c = a b, or c += a b. There is one
/// label of each kind, with its extent and its strides in the three matrices; extent 1 if it is
/// missing.
template <class T, class R = T>
struct Matrices {
  T const* a;
  T const* b;
  R* c;
  LoopLabel rows, columns, summed, batch;
  bool accumulates;

  /// Whether the rows of the result are contiguous.
  bool lies_by_rows() const { return columns.extent == 1 || columns.c == 1; }

  /// The same as the matmul of the transposed matrices.
  Matrices transposed() const {
    auto const exchanged = [](LoopLabel const& label) {
      return LoopLabel{label.extent, label.b, label.a, label.c};
    };
    return {
        b,          a, c, exchanged(columns), exchanged(rows), exchanged(summed), exchanged(batch),
        accumulates};
  }
};

/// A device with such a library: whether it supports a matmul, and its execution.
template <class D, class T, class R>
concept MultipliesMatrices = requires(Matrices<T, R> const& product) {
  { D::multiplies(product) } -> std::same_as<bool>;
  D::multiply(product);
};

/// The same for a device whose library may also compute an epilogue.
template <class D, class T, class R>
concept FusesEpilogues = requires(Matrices<T, R> const& product, MatmulEpilogue const& epilogue) {
  { D::multiplies(product, epilogue) } -> std::same_as<bool>;
  D::multiply(product, epilogue);
};

/// A contraction as batched matmuls, one for each index along labels that are not regularly
/// strided; empty if it is not a matmul, or would be a large number of them.
template <class T, class R>
std::vector<Matrices<T, R>> matrices_of(LoopLabels const& labels, Matrices<T, R> whole) {
  constexpr std::int64_t most = 64;
  SortedLabels sorted_labels = sorted(labels);
  auto& [batch, rows, columns, summed] = sorted_labels;
  if (rows.size > 1 || columns.size > 1 || summed.size > 1 || labels.count() == 0) return {};
  whole.rows = rows.take_longest();
  whole.columns = columns.take_longest();
  whole.summed = summed.take_longest();
  whole.batch = batch.take_longest();
  if (batch.count() > most) return {};
  std::vector<Matrices<T, R>> all;
  for (std::int64_t i = 0; i < batch.count(); ++i) {
    LoopLabel const at = batch.place(i);
    all.push_back(whole);
    all.back().a += at.a;
    all.back().b += at.b;
    all.back().c += at.c;
  }
  return all;
}

/// The matmuls of a node for the library of `D`; empty unless it supports all.
template <class D, class T, class R, class... End>
std::vector<Matrices<T, R>> taken(LoopLabels const& labels, T const* a, T const* b, R* c,
                                  bool accumulates, End const&... end) {
  auto all = matrices_of<T, R>(labels, {a, b, c, {}, {}, {}, {}, accumulates});
  auto const takes = [&](auto const& one) { return D::multiplies(one, end...); };
  if (!std::all_of(all.begin(), all.end(), takes)) all.clear();
  return all;
}

template <class D, class Product, class... End>
bool multiply_all(std::vector<Product> const& all, End const&... end) {
  for (Product const& one : all) D::multiply(one, end...);
  return !all.empty();
}

/// Whether a library can read an operand: a tensor, possibly with permuted axes.
template <class E>
concept ReadByLibrary = Strided<E> && !overlapping<E>;

/// An operand of a contraction before a cast, and the dtype of its elements.
template <class E>
using Uncast = Unqualified<decltype(strided_of(std::declval<E const&>()))>;
template <class E>
using UncastDtype = typename Uncast<E>::value_type;

template <class D, class E>
inline constexpr bool is_taken_by_library = false;
template <class D, class A, class B, class Rule>
inline constexpr bool is_taken_by_library<D, Contract<A, B, Rule>> =
    ReadByLibrary<Uncast<A>> && ReadByLibrary<Uncast<B>> &&
    std::same_as<UncastDtype<A>, UncastDtype<B>> &&
    MultipliesMatrices<D, UncastDtype<A>, typename A::value_type>;

/// Computes a contraction by the library of `D`; false if it is not supported.
template <class D, class A, class B, class Rule>
bool multiplied_by_library(Contract<A, B, Rule> const& e, typename A::value_type* out) {
  if constexpr (is_taken_by_library<D, Contract<A, B, Rule>>) {
    auto const a = memory_of(strided_of(operand_at<0>(e)));
    auto const b = memory_of(strided_of(operand_at<1>(e)));
    return multiply_all<D>(
        taken<D>(labels_of(e, a.strides, b.strides), a.data, b.data, out, false));
  } else {
    return false;
  }
}

/// Whether the library of `D` can compute a matmul with value `P` fused with the expression `E`.
template <class D, class Product, class P, class E>
inline constexpr bool is_ended_by_library = false;
template <class D, class A, class B, class Rule, class P, class E>
  requires(is_taken_by_library<D, Contract<A, B, Rule>> && MatmulEpilogueOfExpression<P, E>::fits)
inline constexpr bool is_ended_by_library<D, Contract<A, B, Rule>, P, E> =
    FusesEpilogues<D, UncastDtype<A>, typename E::value_type> &&
    (!HalfType<typename E::value_type> || std::same_as<typename E::value_type, UncastDtype<A>>);

/// Computes the expression `e` over a matmul with value `P` to `out`, row-major, by the library;
/// false if it is not supported. The matmul is stored separately only if a derivative reads it.
template <class D, class P, class A, class B, class Rule, class E>
bool computed_by_library(Contract<A, B, Rule> const& product, E const& e, std::byte const* out) {
  if constexpr (is_ended_by_library<D, Contract<A, B, Rule>, P, E>) {
    using Known = MatmulEpilogueOfExpression<P, E>;
    if (Known::has_function && depends_on_recording(e)) return false;
    auto const a = memory_of(strided_of(operand_at<0>(product)));
    auto const b = memory_of(strided_of(operand_at<1>(product)));
    using R = typename E::value_type;
    R* const to = const_cast<R*>(reinterpret_cast<R const*>(out));
    MatmulEpilogue const epilogue = Known::of(e);
    return multiply_all<D>(
        taken<D>(labels_of(product, a.strides, b.strides), a.data, b.data, to, false, epilogue),
        epilogue);
  } else {
    return false;
  }
}

}  // namespace tenon::internal::codegen
