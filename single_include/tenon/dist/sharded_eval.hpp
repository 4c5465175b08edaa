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

#include <tenon/dist/over_shards.hpp>
#include <tenon/tenon.hpp>

namespace tenon {

/// An empty list of mesh axes.
struct OverNothing {
  static constexpr FixedText text{};
};

/// Materializes a sharded expression: each rank evaluates its shard. Operands of `unshard` are
/// gathered.
template <ShardType X>
auto eval(X const& x) {
  if constexpr (requires { x.unchecked_local.template used<OverNothing>(); }) {
    using Local = typename X::local_type::Local;
    return Shard<Local, X::spec>{x.unchecked_local.template used<OverNothing>(), x.place};
  } else {
    return Shard<TensorOf<typename X::local_type>, X::spec>{eval(x.unchecked_local), x.place};
  }
}

/// The same for a partial value.
template <PartialShardType X>
auto eval(X const& x) {
  using Local = TensorOf<typename X::local_type>;
  return PartialShard<Local, X::spec, X::over, typename X::fold>{eval(x.unchecked_local), x.place};
}

}  // namespace tenon
