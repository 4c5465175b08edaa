#pragma once

#include <cmath>
#include <string>

#include <tenon/backend/codegen/attention/kernels.hpp>
#include <tenon/backend/codegen/print/device_source.hpp>

namespace tenon::internal {

/// The text of the kernel that a device runs for attention of queries, "batch query head feature",
/// and keys, "batch key head feature", of these sizes: `attention_source<Cuda>(q, k)`. (Attention
/// is computed when it is called, and so is no part of a formula.) Nothing is computed.
template <PrintedDevice D, TensorType Q, TensorType K>
  requires(BackendOf<D>::template attends<typename Q::value_type> && Q::shape.rank == 4 &&
           K::shape.rank == 4)
std::string attention_source(Q const& q, K const& k, bool causal = true) {
  using Language = typename BackendOf<D>::dialect;
  Sizes const sizes = q.sizes();
  auto const width = static_cast<Computed<typename Q::value_type>>(sizes[3]);
  AttentionNumbers const numbers{sizes[0] * sizes[2],
                                 sizes[2],
                                 sizes[1],
                                 k.sizes()[1],
                                 sizes[3],
                                 causal,
                                 static_cast<double>(1 / std::sqrt(width))};
  codegen::Functions functions(Language::text, true);
  codegen::Kernel const kernel = codegen::attention_part<typename Q::value_type>(
      functions, codegen::AttentionPart::values, numbers);
  return std::string(Language::text.prelude) + functions.text() + kernel.text;
}

}  // namespace tenon::internal

namespace tenon {

using internal::attention_source;

}  // namespace tenon
