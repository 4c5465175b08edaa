#pragma once

#include <concepts>
#include <cstddef>

#include <tenon/backend/cpu/matmul/bf16_dot_machine.hpp>
#include <tenon/core/config.hpp>
#include <tenon/eval/contract/product.hpp>

/// CPU matmuls, declared for every dtype; the members are defined with the runtime.
namespace tenon::internal {

template <class T>
struct CpuProducts {
  /// Determined by the sizes only.
  static ProductCut cut(ProductPlan<T> const& plan);
  /// Bytes of scratch memory for a matmul of these sizes.
  static std::size_t scratch(MatrixProduct<T> const& p);
  /// A matmul on one thread.
  static void multiply(MatrixProduct<T> const& p, std::byte* scratch);
  /// A plan by blocks of the right matrix, which all threads share.
  static void multiply_packed(ProductPlan<T> const& plan, AfterPart<T> const& after);
  /// The same for scattered operands (implicit im2col).
  static void multiply_im2col(ProductPlan<T> const& plan, AfterPart<T> const& after)
    requires std::floating_point<T>;
  /// A convolution by Winograd's algorithm.
  static void multiply_winograd(ProductPlan<T> const& plan)
    requires std::floating_point<T>;
  /// The loops of a direct contraction.
  static void multiply_direct(ProductPlan<T> const& plan, AfterPart<T> const& after)
    requires std::floating_point<T>;
};

/// Matmuls of unconverted bfloat16, if the machine has dot product instructions.
template <>
struct CpuProducts<bfloat16> {
  /// Whether these are faster than copies as floats.
  static bool takes(MatrixProduct<bfloat16> const& p);
  static ProductCut cut(ProductPlan<bfloat16> const& plan);
  static std::size_t scratch(MatrixProduct<bfloat16> const& p);
  static void multiply(MatrixProduct<bfloat16> const& p, std::byte* scratch);
  static void multiply_packed(ProductPlan<bfloat16> const& plan, AfterPart<bfloat16> const& after);
};

}  // namespace tenon::internal
