// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

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
