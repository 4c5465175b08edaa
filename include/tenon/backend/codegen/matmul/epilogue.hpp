#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/operand_memory.hpp>

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
