#pragma once

#include <concepts>
#include <cstddef>

#include <tenon/backend/cpu/pairs_machine.hpp>
#include <tenon/core/config.hpp>
#include <tenon/eval/contract/product.hpp>

/// What the CPU does for products, declared for every dtype: `products.ipp` defines it.
namespace tenon {

template <class T>
struct CpuProducts {
  /// From sizes alone.
  static ProductCut cut(ProductPlan<T> const& plan);
  /// Bytes of working memory for a product of such sizes.
  static std::size_t scratch(MatrixProduct<T> const& p);
  /// A product on one thread.
  static void multiply(MatrixProduct<T> const& p, std::byte* scratch);
  /// A plan block by block of the right matrix, which all threads share.
  static void multiply_packed(ProductPlan<T> const& plan, AfterPart<T> const& after);
  /// The same of scattered operands.
  static void multiply_scattered(ProductPlan<T> const& plan, AfterPart<T> const& after)
    requires std::floating_point<T>;
};

/// Products of bfloat16 as they lie, where the machine has instructions for pairs.
template <>
struct CpuProducts<bfloat16> {
  /// Are pairs faster than copies as floats?
  static bool takes(MatrixProduct<bfloat16> const& p);
  static ProductCut cut(ProductPlan<bfloat16> const& plan);
  static std::size_t scratch(MatrixProduct<bfloat16> const& p);
  static void multiply(MatrixProduct<bfloat16> const& p, std::byte* scratch);
  static void multiply_packed(ProductPlan<bfloat16> const& plan, AfterPart<bfloat16> const& after);
};

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/cpu/products.ipp>
#endif
