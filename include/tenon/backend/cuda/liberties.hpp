#pragma once

#include <utility>

namespace tenon::cuda {

/// Math mode of cuBLASLt: optimisations that change values. All are off by default.
struct Liberties {
  bool tf32 = false;  ///< Operands of float32 are rounded to TF32. PyTorch: `allow_tf32`.
  /// Fuses a following `gelu_tanh`, computed as 0.5 x (1 + tanh ...) with undocumented error; NaN
  /// at minus infinity, where that of Tenon is zero.
  bool gelu_tanh = false;
  /// Fuses a following `relu`: it may map NaN to zero, where that of Tenon propagates NaN.
  bool relu = false;
  /// Adjoints are rounded to the 16-bit dtype of the other operand, which may underflow in float16:
  /// scale the loss. PyTorch does so.
  bool rounded_adjoints = false;

  friend bool operator==(Liberties const&, Liberties const&) = default;
};

/// Sets the math mode for matmuls of this thread during its lifetime, replacing the enclosing one:
/// `cuda::LibertyScope const scope({.tf32 = true});`. A matmul recorded within (`capture`) keeps
/// its mode.
class LibertyScope {
 public:
  explicit LibertyScope(Liberties allowed) : before_(std::exchange(current, allowed)) {}
  LibertyScope(LibertyScope const&) = delete;
  LibertyScope& operator=(LibertyScope const&) = delete;
  ~LibertyScope() { current = before_; }

  /// The math mode of this thread.
  static Liberties const& allowed() { return current; }

 private:
  static inline thread_local Liberties current{};

  Liberties before_;
};

}  // namespace tenon::cuda
