#pragma once

#include <utility>

namespace tenon::internal::cuda {

/// Math mode of cuBLASLt: optimisations that change values. All are off by default.
struct MathFlags {
  bool tf32 = false;  ///< Operands of float32 are rounded to TF32. PyTorch: `allow_tf32`.
  /// Fuses a following `gelu_tanh`, computed as 0.5 x (1 + tanh ...) with undocumented error; NaN
  /// at minus infinity, where that of Tenon is zero.
  bool gelu_tanh = false;
  /// Fuses a following `relu`: it may map NaN to zero, where that of Tenon propagates NaN.
  bool relu = false;
  /// Adjoints are rounded to the 16-bit dtype of the other operand, which may underflow in float16:
  /// scale the loss. PyTorch does so.
  bool rounded_adjoints = false;

  friend bool operator==(MathFlags const&, MathFlags const&) = default;
};

/// Sets the math mode for matmuls of this thread during its lifetime, replacing the enclosing one:
/// `cuda::MathMode const mode({.tf32 = true});`. A matmul recorded within (`capture`) keeps
/// its mode.
class MathMode {
 public:
  explicit MathMode(MathFlags allowed) : before_(std::exchange(current, allowed)) {}
  MathMode(MathMode const&) = delete;
  MathMode& operator=(MathMode const&) = delete;
  ~MathMode() { current = before_; }

  /// The math mode of this thread.
  static MathFlags const& allowed() { return current; }

 private:
  static inline thread_local MathFlags current{};

  MathFlags before_;
};

}  // namespace tenon::internal::cuda

namespace tenon::cuda {

using internal::cuda::MathFlags;
using internal::cuda::MathMode;

}  // namespace tenon::cuda
