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

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <tenon/backend/source/occurrence.hpp>

/// A cache of kernels keyed by what they compute: a hit needs no text, which takes longer to print
/// than a kernel takes to launch.
namespace tenon::source {

/// A compiled kernel with its argument layout: which arguments are memories, scalars and adjoints
/// of an expression. The others are the same at each launch.
template <class Function>
struct Recalled {
  /// An argument that is the adjoint of a leaf, or its partial sums.
  struct Adjoint {
    std::size_t at;
    Argument::Is is;
    std::size_t mark;
    std::int64_t elements, element_bytes, parts;
  };

  /// An intermediate buffer between the kernels of an expression.
  struct Between {
    std::size_t at, place;
    std::int64_t bytes;
  };

  Function function{};
  Work work{};
  std::vector<LaunchArgument> arguments{};
  std::vector<std::size_t> whole{};  ///< Indices of the result, or of its adjoint.
  std::vector<std::pair<std::size_t, std::size_t>> memories{}, scalars{};
  std::vector<Adjoint> adjoints{};
  std::vector<Between> between{};

  /// The arguments for another occurrence; `memory_of(adjoint)` is the memory of an adjoint,
  /// `between_of(one)` that of an intermediate buffer.
  template <class MemoryOf, class BetweenOf>
  std::vector<LaunchArgument> arguments_for(Occurrence const& own, void const* result,
                                            MemoryOf const& memory_of,
                                            BetweenOf& between_of) const {
    std::vector<LaunchArgument> all = arguments;
    for (std::size_t const at : whole) all[at].memory = result;
    for (auto const& [at, from] : memories) all[at].memory = own.memories[from];
    for (auto const& [at, from] : scalars) all[at].number = own.scalars[from];
    for (Adjoint const& adjoint : adjoints) all[adjoint.at].memory = memory_of(adjoint);
    for (Between const& one : between) all[one.at].memory = between_of(one);
    return all;
  }

  /// The cache entry of a kernel printed for an occurrence.
  static Recalled of(Function function, Kernel const& kernel, Occurrence const& own) {
    Recalled known;
    known.function = function;
    known.work = kernel.work;
    for (Argument const& argument : kernel.arguments) known.add(kernel, argument, own);
    return known;
  }

 private:
  void add(Kernel const& kernel, Argument const& argument, Occurrence const& own) {
    using Is = Argument::Is;
    std::size_t const at = arguments.size(), from = argument.at;
    LaunchArgument value;
    if (argument.is == Is::number) value = LaunchArgument::of(kernel.numbers[from].value);
    else if (argument.is == Is::scalar) value = add_scalar(kernel.scalars[from], own);
    else if (argument.is == Is::memory)
      memories.emplace_back(at, place_of(own.memories, kernel.memories[from].data));
    else if (argument.is == Is::product)
      memories.emplace_back(at, place_of(own.memories, kernel.product));
    else if (argument.is == Is::result || argument.is == Is::adjoint) whole.push_back(at);
    else if (argument.is == Is::folded) add_between(kernel.folds[from]);
    else add_adjoint(kernel.adjoints[from], argument.is, own);
    arguments.push_back(value);
  }
  LaunchArgument add_scalar(Scalars::Argument const& scalar, Occurrence const& own) {
    scalars.emplace_back(arguments.size(), place_of(own.scalars, scalar.value));
    return {nullptr, scalar.bytes, scalar.value};
  }
  void add_between(FoldedParts const& parts) {
    between.push_back({arguments.size(), parts.place, parts.elements * parts.element_bytes});
  }
  void add_adjoint(LeafAdjoint const& adjoint, Argument::Is is, Occurrence const& own) {
    adjoints.push_back({arguments.size(), is, place_of(own.marks, adjoint.mark), adjoint.elements,
                        adjoint.element_bytes, adjoint.parts});
  }
};

/// A cache of expressions by key. Thread-safe.
template <class Owner, class Known>
class Recall {
 public:
  /// The entry for a key; computed by `make()` on a miss.
  static Known const& find(std::vector<std::int64_t> const& key, Callback<Known()> const& make) {
    static Recall& all = *new Recall;
    if (Known const* const known = all.known(key)) return *known;
    return all.keep(key, make());
  }

 private:
  Known const* known(std::vector<std::int64_t> const& key) {
    std::lock_guard const lock(mutex_);
    auto const found = known_.find(key);
    return found == known_.end() ? nullptr : &found->second;
  }
  /// An entry that another thread has inserted meanwhile is kept.
  Known const& keep(std::vector<std::int64_t> const& key, Known known) {
    std::lock_guard const lock(mutex_);
    return known_.emplace(key, std::move(known)).first->second;
  }

  std::mutex mutex_;
  std::map<std::vector<std::int64_t>, Known> known_;
};

}  // namespace tenon::source
