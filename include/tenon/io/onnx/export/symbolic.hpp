#pragma once

#include <vector>

#include <tenon/io/onnx/export/extent.hpp>
#include <tenon/io/onnx/export/program.hpp>

namespace tenon::internal::onnx {

/// A step whose sizes and numbers are expressions in the sizes of the inputs.
struct SymbolicStep : Step {
  std::vector<Extent> extents;
  std::vector<Extent> values;    ///< Of `numbers`.
  std::optional<Extent> size{};  ///< Of a constant node that depends on sizes.
  bool is_reciprocal = false;    ///< The constant is 1 / `size`.
};

/// A function for all sizes of its inputs.
struct SymbolicProgram {
  std::vector<SymbolicStep> steps;
  std::vector<Id> results;
  std::vector<RunTimeAxis> axes;
};

/// One trace of a function: its steps, and those of its results.
struct TracedProgram {
  Program steps;
  std::vector<Id> results;
};

/// The function that has these traces. Throws `Error` where its operations depend on the sizes or
/// the values of inputs in another way than by linear functions and products of sizes.
SymbolicProgram symbolic(std::vector<TracedProgram> const& traces, std::vector<RunTimeAxis> axes);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/export/symbolic.ipp>
#endif
