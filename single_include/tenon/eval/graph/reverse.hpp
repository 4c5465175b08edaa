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

#include <span>
#include <vector>

#include <tenon/tenon.hpp>

namespace tenon::graph {

/// The adjoints of the values between leaves and results, passed on from the last value to the
/// first.
class Reverse final : public Adjoints {
 public:
  Reverse(std::span<Id const> results, std::span<Id const> leaves);

  bool wants(Id value) const override {
    return value.number >= first_ && value.number < last_ &&
           between_[value.number - first_].depends;
  }
  void add(Id value, Id share, std::size_t part = 0) override;
  Id const* of(Id value, std::size_t part = 0) const override;
  /// Passes the accumulated adjoints on.
  void pull();

 private:
  struct Sum {
    Id id{};
    bool is_there = false;
  };
  struct Between {
    bool is_leaf = false;
    bool depends = false;
    std::vector<Sum> parts{};
  };

  std::uint32_t first_, last_;
  std::vector<Between> between_;
};

}  // namespace tenon::graph
