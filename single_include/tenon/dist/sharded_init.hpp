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

#include <tenon/dist/sharded_create.hpp>
#include <tenon/tenon.hpp>

/// Initialisation of sharded models: every rank draws its shard of the global initial values:
/// `init::normal(key, 0.02, on_mesh<Model>(mesh))`.
namespace tenon {

/// The local shard of a drawn tensor. (16-bit dtypes are drawn as `float`.)
template <class Start, ShardType R>
R drawn_at_start(Start& start, R const& like) {
  using T = typename R::value_type;
  static_assert(FloatType<T>, "tenon::init: complex tensors are not drawn; set them yourself");
  using Wide = std::conditional_t<HalfType<T>, float, T>;
  Key const key = start.next_key();
  auto const row = [&](std::int64_t first, std::int64_t count) {
    auto const wide = spread_row(normal_row<Tensor<Wide, "n">>(key, row_of(count), first), Wide(0),
                                 static_cast<Wide>(start.deviation()));
    return eval(to<T>(wide));
  };
  return drawn_part<R>(*like.place.topology(), like.sizes(), row);
}

}  // namespace tenon
