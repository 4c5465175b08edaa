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

#include <tenon/dist/shard.hpp>
#include <tenon/tenon.hpp>

/// Learned leaves in trees of tensors and sharded tensors.
namespace tenon {

/// A traversal of learned leaves in which a sharded tensor is one leaf.
struct LearnedShards {
  template <class T>
  static consteval bool learns() {
    if constexpr (is_shard<T>) return tree::Learned::visits<typename T::local_type>;
    else return tree::Learned::visits<T>;
  }
  template <class T>
  static constexpr bool visits = learns<T>();
  static constexpr bool opens_frozen = false;
};

/// The local shard of a leaf.
template <class Leaf>
auto& local_of(Leaf& leaf) {
  if constexpr (ShardType<Leaf>) return leaf.unchecked_local;
  else return leaf;
}
template <class Leaf>
using LocalOf = Unqualified<decltype(local_of(std::declval<Leaf&>()))>;

}  // namespace tenon
