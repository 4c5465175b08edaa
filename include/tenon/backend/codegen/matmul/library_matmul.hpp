#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/backward.hpp>
#include <tenon/eval/contract/contraction.hpp>

/// Matmul epilogues that a library of the device computes before it stores the sums.
namespace tenon::internal::codegen {

/// An activation, applied after the bias is added.
enum class EpilogueFunction { none, relu, gelu_tanh };

/// The epilogue of a matmul: a bias, repeated along the rows of the result, is added, an activation
/// applied, and the value rounded to the dtype of the result.
struct MatmulEpilogue {
  EpilogueFunction function = EpilogueFunction::none;
  void const* bias = nullptr;  ///< Of the result's dtype; null: no bias.
  std::int64_t biases = 0;
};

/// How an expression over a matmul's value is an epilogue: a bias may be added, then an activation
/// applied, then the value rounded to a 16-bit dtype.
struct EpilogueForm {
  bool fits = false;
  bool rounds = false;
  EpilogueFunction function = EpilogueFunction::none;
  int bias = -1;  ///< The operand of the addition.
};

template <class Op>
constexpr bool applies(ir::NodeType const& e) {
  return e.kind == NodeKind::map && e.op == &symbolic::op_record<Op>;
}

/// Whether operand `k` of an elementwise op is a tensor of a dtype, which may be cast on read,
/// broadcast along all but the last axes.
constexpr bool is_bias(ir::NodeType const& e, int k, std::string_view dtype) {
  auto const number = static_cast<std::size_t>(k);
  ir::NodeType const& bias = uncast(*e.operands[number]);
  int const outer = e.rank - bias.rank;
  bool follows = bias.kind == NodeKind::tensor && bias.dtype == dtype && outer > 0 && bias.rank > 0;
  for (int i = 0; i < bias.rank; ++i)
    follows = follows && e.axes_of[number][static_cast<std::size_t>(i)] == outer + i;
  return follows;
}

/// The form of an expression over a tensor of type `value`; it does not fit if it is a separate
/// kernel.
constexpr EpilogueForm epilogue_form(ir::NodeType const& e, ir::NodeType const& value) {
  EpilogueForm form;
  ir::NodeType const* at = &e;
  form.rounds = applies<op::Cast<bfloat16>>(e) || applies<op::Cast<float16>>(e);
  if (form.rounds) at = at->operands[0];
  if (applies<op::Relu>(*at)) form.function = EpilogueFunction::relu;
  if (applies<op::GeluTanh>(*at)) form.function = EpilogueFunction::gelu_tanh;
  if (form.function != EpilogueFunction::none) at = at->operands[0];
  if (applies<op::Add>(*at)) {
    form.bias = at->operands[0] == &value ? 1 : 0;
    form.fits = at->operands[form.bias == 0 ? 1 : 0] == &value && is_bias(*at, form.bias, e.dtype);
  } else {
    form.fits = at == &value;
  }
  return form;
}

/// The epilogue of an expression of such a form.
MatmulEpilogue epilogue_of(ir::Node e, EpilogueForm const& form);

}  // namespace tenon::internal::codegen

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

/// Whether a library can read operand k of a contraction: a tensor, possibly with permuted axes.
template <std::size_t k, class E>
inline constexpr bool is_read_by_library = Strided<Uncast<k, E>> && !reads_steps<k, E>;

template <class D, class E>
inline constexpr bool is_taken_by_library = false;
template <class D, class E>
  requires(is_contract<E> && std::same_as<UncastDtype<0, E>, UncastDtype<1, E>>)
inline constexpr bool is_taken_by_library<D, E> =
    is_read_by_library<0, E> && is_read_by_library<1, E> &&
    MultipliesMatrices<D, UncastDtype<0, E>, typename E::value_type>;

/// The matmuls of a contraction, with an epilogue if one is given, for the library of `D`.
template <class D, class E, class R, class... End>
std::vector<Matrices<UncastDtype<0, E>, R>> matmuls_for(E const& e, R* out, End const&... end) {
  using T = UncastDtype<0, E>;
  ir::Node const product = node_of(e);
  OperandMemory const a = memory_of(uncast(product.operand_at(0)));
  OperandMemory const b = memory_of(uncast(product.operand_at(1)));
  return taken<D>(labels_of(product, a.strides, b.strides), a.template elements<T>(),
                  b.template elements<T>(), out, false, end...);
}

/// Computes a contraction by the library of `D`; false if it is not supported.
template <class D, class E>
bool multiply_by_library(E const& e, typename E::value_type* out) {
  if constexpr (is_taken_by_library<D, E>) return multiply_all<D>(matmuls_for<D>(e, out));
  else return false;
}

/// How the library of `D` computes a matmul with value `P` fused with the expression `E`.
template <class D, class Product, class P, class E>
inline constexpr EpilogueForm form_by_library{};
template <class D, class Product, class P, class E>
  requires(is_taken_by_library<D, Product> &&
           FusesEpilogues<D, UncastDtype<0, Product>, typename E::value_type> &&
           (!HalfType<typename E::value_type> ||
            std::same_as<typename E::value_type, UncastDtype<0, Product>>))
inline constexpr EpilogueForm form_by_library<D, Product, P, E> =
    epilogue_form(node_type<E>, node_type<P>);

/// Computes the expression `e` over a matmul with value `P` to `out`, row-major, by the library;
/// false if it is not supported. The matmul is stored separately only if a derivative reads it.
template <class D, class P, class Product, class E>
bool compute_by_library(Product const& product, E const& e, std::byte const* out) {
  constexpr EpilogueForm form = form_by_library<D, Product, P, E>;
  if constexpr (form.fits) {
    if (form.function != EpilogueFunction::none && depends_on_recording(e)) return false;
    using R = typename E::value_type;
    MatmulEpilogue const epilogue = epilogue_of(node_of(e), form);
    R* const to = const_cast<R*>(reinterpret_cast<R const*>(out));
    return multiply_all<D>(matmuls_for<D>(product, to, epilogue), epilogue);
  } else {
    return false;
  }
}

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::codegen {

TENON_RUNTIME MatmulEpilogue epilogue_of(ir::Node e, EpilogueForm const& form) {
  if (form.rounds) e = e.operand_at(0);
  if (form.function != EpilogueFunction::none) e = e.operand_at(0);
  if (form.bias < 0) return {form.function};
  ir::Node const bias = uncast(e.operand_at(static_cast<std::size_t>(form.bias)));
  return {form.function, bias.elements(), bias.count()};
}

}  // namespace tenon::internal::codegen

#endif
