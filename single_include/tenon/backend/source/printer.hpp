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

#include <tenon/backend/source/kernel.hpp>
#include <tenon/backend/source/node_type.hpp>

namespace tenon::source {

/// Prints the kernels of a plan.
class Printer {
 public:
  explicit Printer(Dialect const& dialect, bool is_for_device = false)
      : functions_(dialect, is_for_device) {}

  template <class E>
  int kernel(E const& e) {
    return add(printed(functions_, next_name(), node_of<false>(e)));
  }
  template <class E>
  int product(E const& e) {
    return kernel(e);
  }
  template <class P, class E>
  int epilogue(P const& product, E const& e) {
    return add(printed(functions_, next_name(), node_of<false>(product), node_of<false>(e)));
  }

  std::vector<Kernel> const& kernels() const { return kernels_; }
  std::string const& functions() const { return functions_.text(); }

 private:
  std::string next_name() const { return "kernel_" + std::to_string(kernels_.size()); }
  int add(Kernel kernel) {
    kernels_.push_back(std::move(kernel));
    return static_cast<int>(kernels_.size()) - 1;
  }

  Functions functions_;
  std::vector<Kernel> kernels_;
};

}  // namespace tenon::source
