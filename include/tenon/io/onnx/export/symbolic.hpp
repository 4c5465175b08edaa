#pragma once

#include <vector>

#include <tenon/io/onnx/export/merged.hpp>

namespace tenon::internal::onnx {

/// A step whose sizes and numbers are expressions in the sizes of the inputs.
struct SymbolicStep : Step {
  std::vector<Extent> extents;
  std::vector<Extent> values;    ///< Of `numbers`.
  std::optional<Extent> size{};  ///< Of a constant node that depends on sizes.
  bool is_root = false;          ///< The constant is sqrt(`size`).
  bool is_reciprocal = false;    ///< The constant is 1 / `size`, or 1 / sqrt(`size`).
};

/// A function for all sizes of its inputs.
struct SymbolicProgram {
  std::vector<SymbolicStep> steps;
  std::vector<Id> results;
  std::vector<RunTimeAxis> axes;
};

/// The function that has these traces. Throws `Error` where its operations depend on the sizes or
/// the values of inputs in another way than by expressions in sizes.
SymbolicProgram symbolic(std::vector<TracedProgram> const& traces, std::vector<RunTimeAxis> axes);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/export/symbolic.ipp>
#endif
