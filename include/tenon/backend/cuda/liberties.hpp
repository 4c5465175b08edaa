#pragma once

#include <utility>

namespace tenon::cuda {

/// What cuBLASLt may do in products that this library does not do of itself, because values differ
/// for it: nothing, unless somebody asks.
struct Liberties {
  bool tf32 = false;  ///< Factors of float32 are rounded to 11 bits. PyTorch: `allow_tf32`.
  /// A `gelu_tanh` that follows: by 0.5 x (1 + tanh ...), whose error is not documented, and which
  /// is NaN of minus infinity, where Tenon's is zero.
  bool gelu_tanh = false;
  /// A `relu` that follows: of NaN it may be zero, where Tenon's is NaN.
  bool relu = false;
  /// Adjoints are rounded to the 16-bit dtype of the factor that they are multiplied with, which
  /// may take those of float16 to zero: scale the loss. PyTorch does so.
  bool rounded_adjoints = false;

  friend bool operator==(Liberties const&, Liberties const&) = default;
};

/// Lets cuBLASLt take liberties with the products that this thread asks for as long as it lives, in
/// place of those that were allowed around it: `cuda::LibertyScope const scope({.tf32 = true});`. A
/// product that is recorded within (`capture`) stays as it was recorded.
class LibertyScope {
 public:
  explicit LibertyScope(Liberties allowed) : before_(std::exchange(current, allowed)) {}
  LibertyScope(LibertyScope const&) = delete;
  LibertyScope& operator=(LibertyScope const&) = delete;
  ~LibertyScope() { current = before_; }

  /// What is allowed in this thread.
  static Liberties const& allowed() { return current; }

 private:
  static inline thread_local Liberties current{};

  Liberties before_;
};

}  // namespace tenon::cuda
