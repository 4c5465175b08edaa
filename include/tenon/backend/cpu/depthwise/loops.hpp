#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <tenon/core/language/division.hpp>
#include <tenon/eval/depthwise.hpp>

/// The loops of a depthwise convolution and of its adjoint with respect to the operand. The first
/// reads elements of the operand (sources) for each of the result (targets), the second elements of
/// the result's adjoint for each of the operand's.
namespace tenon::internal {

/// One axis: target `phase + phases * i` reads, for each of the places of the window that its phase
/// has, source `base + stride * i`.
struct DepthwiseLoop {
  DepthwiseAxis axis;
  bool is_adjoint;

  std::int64_t sources() const { return is_adjoint ? axis.out : axis.in; }
  std::int64_t targets() const { return is_adjoint ? axis.in : axis.out; }
  std::int64_t source_step() const { return is_adjoint ? axis.out_step : axis.in_step; }
  std::int64_t target_step() const { return is_adjoint ? axis.in_step : axis.out_step; }
  std::int64_t stride() const { return is_adjoint ? 1 : axis.stride; }
  std::int64_t phases() const { return is_adjoint ? axis.stride : 1; }

  /// The number of targets of a phase; no phase has more than the first.
  std::int64_t count(std::int64_t phase) const {
    return targets() > phase ? (targets() - phase - 1) / phases() + 1 : 0;
  }
  bool has(std::int64_t phase, std::int64_t place) const {
    return !is_adjoint || (phase + axis.before - place * axis.dilation) % axis.stride == 0;
  }
  std::int64_t base(std::int64_t phase, std::int64_t place) const {
    return is_adjoint ? (phase + axis.before - place * axis.dilation) / axis.stride
                      : place * axis.dilation - axis.before;
  }
  /// Bounds of the bases of all phases.
  std::int64_t least() const {
    return is_adjoint ? -floor_of(length() - axis.before, axis.stride) : -axis.before;
  }
  std::int64_t most() const {
    return is_adjoint ? floor_of(axis.before + axis.stride - 1, axis.stride)
                      : length() - axis.before;
  }
  /// The sources between the first and the last that `count` targets of all phases read.
  std::int64_t extent(std::int64_t count) const {
    return count == 0 ? 0 : most() - least() + stride() * (count - 1) + 1;
  }
  /// Whether there is nothing to slide along.
  bool is_one() const { return axis.in == 1 && axis.out == 1 && axis.window == 1; }

 private:
  std::int64_t length() const { return (axis.window - 1) * axis.dilation; }
};

struct DepthwiseLoops : std::array<DepthwiseLoop, 3> {
  DepthwiseLoops(DepthwiseNumbers const& numbers, bool is_adjoint)
      : std::array<DepthwiseLoop, 3>{{{numbers.axis[0], is_adjoint},
                                      {numbers.axis[1], is_adjoint},
                                      {numbers.axis[2], is_adjoint}}} {}
};

/// One term of the sums of targets: the offsets of its source and of its weight.
struct DepthwiseTerm {
  std::int64_t source, weight;
};
using DepthwiseTerms = std::vector<DepthwiseTerm>;

}  // namespace tenon::internal
