#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/half.hpp>
#include <tenon/eval/contract/product.hpp>
#include <tenon/eval/kernel.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/ir/describe.hpp>
#include <tenon/ir/fusion.hpp>
#include <tenon/ir/rounded.hpp>

/// The operands of a contraction: tensors, or transposed or strided views of one, which may be cast
/// where they are read.
namespace tenon::internal {

/// The tensor that an operand reads, the offset of its first element, and the strides, in elements.
struct OperandMemory {
  ir::Node base;
  std::int64_t start = 0;
  Sizes strides{};

  template <class T>
  T const* elements() const {
    return static_cast<T const*>(base.elements()) + start;
  }
};

/// The tensor that an operand without a cast reads, as data.
ir::Node base_of(ir::Node operand);
OperandMemory memory_of(ir::Node operand);

/// An operand before its cast.
inline ir::Node uncast(ir::Node operand) {
  return operand.is(NodeKind::map) ? operand.operand_at(0) : operand;
}
constexpr ir::NodeType const& uncast(ir::NodeType const& operand) {
  return operand.kind == NodeKind::map ? *operand.operands[0] : operand;
}
template <class E>
constexpr auto const& uncast(E const& operand) {
  if constexpr (is_map<E>) return operand_at<0>(operand);
  else return operand;
}

/// The tensor that an operand without a cast reads.
template <class E>
constexpr auto const& base_of(E const& operand) {
  if constexpr (TensorType<E>) return operand;
  else return operand_at<0>(operand);
}

/// Operand k of a contraction before its cast, and the dtype of its elements.
template <std::size_t k, class E>
using Uncast = Unqualified<decltype(uncast(std::declval<OperandAt<k, E> const&>()))>;
template <std::size_t k, class E>
using UncastDtype = typename Uncast<k, E>::value_type;

/// Whether the elements of operand k of a contraction are read with steps, or as windows: one may
/// be read more than once.
template <std::size_t k, class E>
inline constexpr bool reads_steps = ir::overlaps(uncast(*node_type<E>.operands[k]));
template <class E>
inline constexpr bool reads_any_steps = reads_steps<0, E> || reads_steps<1, E>;

/// An operand's elements in the dtype of the contraction: in place, or as a cast copy. (Constructed
/// in place: a copy of strides that were just written stalls store forwarding.)
template <class T>
struct OperandElements {
  OperandMemory memory;
  SharedBuffer copy{};

  T const* data() const { return copy ? copy.as<T>() + memory.start : memory.elements<T>(); }
  Sizes const& strides() const { return memory.strides; }
};

/// The elements of an operand before its cast as another dtype, where `copy(e)` is a contiguous
/// copy of the elements of `e`. Of a slice only the slice is copied.
template <class To, class E, class F>
OperandElements<To> cast_elements(E const& own, F const& copy) {
  ir::Node const node = node_of(own);
  OperandMemory const memory = memory_of(node);
  if (node.overlaps() || node.count() == memory.base.count())
    return {memory, copy(with_dtype<To>(base_of(own)))};
  return {{node, 0, row_major(node.sizes(), node.rank())}, copy(with_dtype<To>(own))};
}

template <class Backend, class E>
OperandElements<typename E::value_type> elements_of_operand(E const& e) {
  using T = typename E::value_type;
  if constexpr (is_map<E>) {
    return cast_elements<T>(operand_at<0>(e), [](auto const& from) {
      constexpr int rank = Unqualified<decltype(from)>::shape.rank;
      Sizes const sizes = from.sizes();
      SharedBuffer to(static_cast<std::size_t>(count(sizes, rank)) * sizeof(T));
      Backend::fill(from, access_out(to.as<std::byte>(), row_major(sizes, rank), sizeof(T)));
      return to;
    });
  } else if constexpr (TensorType<E>) {
    // Static sizes are constants here; as data they take 20 ns of the 220 of a 16 x 16 matmul.
    return {{node_of(e), 0, row_major(e.sizes(), E::rank)}};
  } else {
    return {memory_of(node_of(e))};
  }
}

}  // namespace tenon::internal

/// Matmuls of 16-bit operands that a backend computes without a copy as `float`.
namespace tenon::internal {

/// Whether both operands of a contraction are cast, from a dtype that the backend multiplies, and
/// read without steps.
template <class Backend, class E>
inline constexpr bool multiplies_uncast = false;
template <class Backend, class E>
  requires(is_map<OperandAt<0, E>> && is_map<OperandAt<1, E>> &&
           std::same_as<UncastDtype<0, E>, UncastDtype<1, E>>)
inline constexpr bool multiplies_uncast<Backend, E> =
    Backend::template multiplies_halves<UncastDtype<0, E>> && !is_stepped<Uncast<0, E>> &&
    !is_stepped<Uncast<1, E>>;

/// The three bfloat16 parts of a float, which add up to it: each has eight bits of its significand.
/// (Parts below 1.2e-38 are flushed to zero in the matmul.)
struct SplitFloat {
  bfloat16 part[3];

  constexpr explicit SplitFloat(float x) {
    for (bfloat16& p : part) {
      auto const bits = std::bit_cast<std::uint32_t>(x) | (x != x ? 0x400000u : 0u);
      p = bfloat16::from_bits(static_cast<std::uint16_t>(bits >> 16));
      bool const is_finite = (bits & 0x7f800000u) != 0x7f800000u;
      x = is_finite ? x - std::bit_cast<float>(bits & 0xffff0000u) : 0.0f;
    }
  }
};

/// An adjoint in `float` as the sum of three bfloat16 parts: they are multiplied one after the
/// other, without loss of precision.
struct SplitAdjoint {
  std::int64_t size;
  SharedBuffer parts;

  template <class Backend>
  static SplitAdjoint of(float const* from, std::int64_t size) {
    SplitAdjoint split{size, SharedBuffer(3 * sizeof(bfloat16) * static_cast<std::size_t>(size))};
    constexpr std::int64_t at_once = std::int64_t{1} << 14;
    Backend::parallel_for((size + at_once - 1) / at_once, 0, [&](std::int64_t chunk, std::byte*) {
      std::int64_t const first = chunk * at_once, end = (std::min)(size, first + at_once);
      bfloat16* const to = split.parts.as<bfloat16>();
      for (std::int64_t i = first; i < end; ++i) {
        SplitFloat const x(from[i]);
        for (int p = 0; p < 3; ++p) to[p * size + i] = x.part[p];
      }
    });
    return split;
  }

  bfloat16 const* data() const { return parts.as<bfloat16>(); }
  /// The additional label of a contraction with the parts.
  LoopLabel label() const { return {3, size, 0, 0}; }
};

/// Whether an element is infinite. Times the zeros among the parts of an adjoint it would be NaN.
bool has_infinity(bfloat16 const* from, std::int64_t size);

/// The labels of a contraction with their strides in the operands and the result.
LoopLabels labels_of(Contraction const& rule, LabelExtents const& extents, Sizes const& left,
                     Sizes const& right, Sizes const& out);

/// The same for a node, whose result is row-major.
LoopLabels labels_of(ir::Node product, Sizes const& left, Sizes const& right);

/// Whether a contraction of operands without casts may be computed by Winograd's algorithm.
template <class Backend, class E>
inline constexpr bool permits_winograd = false;
template <class Backend, class E>
  requires(E::contraction.allow_winograd && !is_map<OperandAt<0, E>> && !is_map<OperandAt<1, E>>)
inline constexpr bool permits_winograd<Backend, E> =
    Backend::template multiplies_winograd<typename E::value_type>;

/// Calls `f` with the plan of a contraction to `out`, row-major, while the operands are in memory.
template <class Backend, class E, class F>
void with_plan(E const& e, typename E::value_type* out, F const& f) {
  ir::Node const product = node_of(e);
  if constexpr (multiplies_uncast<Backend, E>) {
    using T = UncastDtype<0, E>;
    OperandMemory const a = memory_of(uncast(product.operand_at(0)));
    OperandMemory const b = memory_of(uncast(product.operand_at(1)));
    auto plan =
        plan_labels<Backend>(labels_of(product, a.strides, b.strides), a.template elements<T>(),
                             b.template elements<T>(), out, false);
    if (plan && Backend::takes_halves(plan->matrix)) return f(plan);
  }
  auto const a = elements_of_operand<Backend>(operand_at<0>(e));
  auto const b = elements_of_operand<Backend>(operand_at<1>(e));
  LoopLabels const labels = labels_of(product, a.strides(), b.strides());
  if constexpr (permits_winograd<Backend, E>)
    if (auto plan = plan_winograd(labels, a.data(), b.data(), out, false)) return f(plan);
  auto plan = plan_labels<Backend, reads_any_steps<E>>(labels, a.data(), b.data(), out, false);
  f(plan);
}

/// Computes the plan of a contraction.
template <class Backend, class E, class T>
void run_contraction(ProductPlan<T>& plan, AfterPart<T> const& after) {
  if constexpr (permits_winograd<Backend, E>)
    if (plan.winograd) return Backend::multiply_winograd(plan);
  Backend::template multiply<reads_any_steps<E>>(plan, after);
}

/// Computes a contraction to `out`, row-major.
template <class Backend, class E>
void run_plan(E const& e, typename E::value_type* out) {
  with_plan<Backend>(e, out, [](auto& plan) {
    using T = typename Unqualified<decltype(*plan)>::value_type;
    if (plan) run_contraction<Backend, E>(*plan, AfterPart<T>{});
  });
}

}  // namespace tenon::internal

/// Fuses the maps that follow a contraction into its epilogue: bias, activation and residual are
/// applied to a part of the result while it is in cache.
namespace tenon::internal {

/// Whether the rows of a contraction's result, as a plan walks them, are those of the result.
template <class T>
bool covers_rows(ProductPlan<T> const& plan, std::int64_t row) {
  return plan.matrix.n == row && (plan.matrix.m == 1 || plan.matrix.c_row == row);
}

/// A kernel that reads a contraction, and the memory of the contraction.
template <class T>
struct KernelOverParts {
  KernelAtWork work;
  Computed<T> const* product;
};

/// Runs the row chunks that read a part of a contraction; on a copy of the kernel where there are
/// several chunks. (The copy is made here, where its type is known.)
template <class T, class K>
void run_part(void const* context, MatrixProduct<T> const& part, std::int64_t columns) {
  auto const& over = *static_cast<KernelOverParts<T> const*>(context);
  if (part.m == over.work.layout->rows() && columns >= over.work.layout->row.size())
    return run_rows(over.work, 0, part.m, 0, over.work.layout->row.size());
  alignas(K) std::byte memory[sizeof(K)];
  run_pieces(over.work.copied(memory), part.c - over.product, part.m, columns);
}

/// Computes a contraction to `value`, row-major, and the materialized expression `e`, which reads
/// it, to `out`: after each part of the contraction the row chunks that read it, while it is in
/// cache.
template <class Backend, class P, class E>
void run_plan_with_epilogue(P const& product, typename P::value_type* value, E const& e,
                            MemoryAccess const& out) {
  using M = typename Backend::machine;
  auto kernel = tenon::internal::bind<M, false>(e, out, nullptr);
  using K = decltype(kernel);
  with_plan<Backend>(product, value, [&](auto& plan) {
    using T = typename Unqualified<decltype(*plan)>::value_type;
    bool const fits =
        plan && !plan->winograd && kernel.row.rank == 1 && covers_rows(*plan, kernel.row.size());
    if (fits) {
      KernelOverParts<T> const over{kernel_at_work(kernel, &run_row<M, typename E::value_type, K>),
                                    plan->matrix.c};
      return run_contraction<Backend, P>(*plan, AfterPart<T>{&over, &run_part<T, K>});
    }
    if (plan) run_contraction<Backend, P>(*plan, AfterPart<T>{});
    Backend::fill(e, out);
  });
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME ir::Node base_of(ir::Node operand) {
  return operand.is_leaf() ? operand : operand.operand_at(0);
}

TENON_RUNTIME OperandMemory memory_of(ir::Node operand) {
  ir::Node const base = base_of(operand);
  if (operand.is(NodeKind::step)) return {base, operand.steps().start, operand.steps().along};
  if (operand.is_leaf()) return {base, 0, row_major(base.sizes(), base.rank())};
  Sizes const whole = row_major(base.sizes(), base.rank());
  OperandMemory memory{base, offset(whole, operand.start(), base.rank())};
  for (int i = 0; i < operand.rank(); ++i) {
    int const axis = (*operand->axes_of)[static_cast<std::size_t>(i)];
    if (axis >= 0) at(memory.strides, i) = at(whole, axis);
  }
  return memory;
}

TENON_RUNTIME bool has_infinity(bfloat16 const* from, std::int64_t size) {
  int found = 0;
  for (std::int64_t i = 0; i < size; ++i) found |= (from[i].bits & 0x7fff) == 0x7f80;
  return found != 0;
}

/// Adds the strides of a tensor to those of the labels of its axes.
inline void add_strides(LoopLabels& labels, std::int64_t LoopLabel::*step, AxisMap const& axes,
                        Sizes const& strides) {
  for (std::size_t i = 0; i < max_rank; ++i)
    if (axes[i] >= 0) labels[axes[i]].*step += strides[i];
}

TENON_RUNTIME LoopLabels labels_of(Contraction const& rule, LabelExtents const& extents,
                                   Sizes const& left, Sizes const& right, Sizes const& out) {
  LoopLabels labels;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.labels); ++i)
    labels.add({extents[i], 0, 0, 0});
  add_strides(labels, &LoopLabel::a, rule.left, left);
  add_strides(labels, &LoopLabel::b, rule.right, right);
  add_strides(labels, &LoopLabel::c, rule.out, out);
  return labels;
}

TENON_RUNTIME LoopLabels labels_of(ir::Node product, Sizes const& left, Sizes const& right) {
  Contraction const& rule = *product->contraction;
  LabelExtents const extents = product.extents();
  Sizes const sizes = sizes_of_labels(extents, rule.out, product.rank());
  return labels_of(rule, extents, left, right, row_major(sizes, product.rank()));
}

}  // namespace tenon::internal

#endif
