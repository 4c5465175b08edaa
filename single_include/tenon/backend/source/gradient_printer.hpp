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

#include <string>
#include <utility>
#include <vector>

#include <tenon/backend/source/backward.hpp>
#include <tenon/backend/source/node_type.hpp>

namespace tenon::source {

/// Prints the kernels of a plan, and those of its backward, from the last kernel to the first. A
/// matmul is printed before the elementwise ops that follow it, whose backward reads its value.
class GradientPrinter {
 public:
  explicit GradientPrinter(Dialect const& dialect) : functions_(dialect) {}

  template <class E>
  int kernel(E const& e) {
    return add(node_of(e));
  }
  template <class E>
  int product(E const& e) {
    return kernel(e);
  }
  template <class P, class E>
  int epilogue(P const& product, E const& e) {
    auto const value = earlier(product, kernel(product));
    return add(node_of(value), value.number, node_of(e));
  }

  /// The kernels that compute values; the last one computes the result.
  std::vector<Kernel> const& forward() const { return forward_; }
  /// All kernels, in execution order.
  std::vector<Kernel> kernels() const {
    std::vector<Kernel> all = forward_;
    for (auto kernels = backward_.rbegin(); kernels != backward_.rend(); ++kernels)
      all.insert(all.end(), kernels->begin(), kernels->end());
    return all;
  }
  std::string const& functions() const { return functions_.text(); }

 private:
  std::string next_name() const { return "kernel_" + std::to_string(forward_.size()); }
  Backward backward() { return {functions_, "pull_" + std::to_string(forward_.size())}; }

  // Functions shared by both are printed first: the forward kernel before its backward.
  int add(Node e) {
    Kernel kernel = printed(functions_, next_name(), e);
    return add(std::move(kernel), pulled(backward(), e));
  }
  int add(Node value, int number, Node e) {
    Kernel kernel = printed(functions_, next_name(), value, e);
    return add(std::move(kernel), pulled(backward(), value, number, e));
  }
  int add(Kernel kernel, std::vector<Kernel> backward) {
    for (Kernel& pull : backward) pull.pulls = static_cast<int>(forward_.size());
    forward_.push_back(std::move(kernel));
    backward_.push_back(std::move(backward));
    return static_cast<int>(forward_.size()) - 1;
  }

  Functions functions_;
  std::vector<Kernel> forward_;
  std::vector<std::vector<Kernel>> backward_;
};

}  // namespace tenon::source
