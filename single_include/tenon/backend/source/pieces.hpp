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

namespace tenon::source {

/// The kernels of a recipe that fold its rows in pieces, the deepest first: the kernel that
/// computes the recipe puts together what they leave.
class PieceKernels {
 public:
  PieceKernels(Functions& functions, Cut const& cut, std::string name)
      : functions_(&functions), cut_(cut), name_(std::move(name)), walk_(functions) {}

  Cut const& cut() const { return cut_; }

  std::vector<Kernel> kernels{};
  Folded folded{};

  template <class E>
  void add(E const& e) {
    if constexpr (has_fold<E>) {
      each_operand(e, [&](auto const& operand) { add(operand); });
      if constexpr (is_fold<E>) add_fold(e);
    }
  }

 private:
  template <class E>
  void add_fold(E const& e) {
    using T = typename E::value_type;
    auto const [known, is_new] = known_.try_emplace(identity(walk_, e), folded.all.size());
    if (is_new) {
      std::int64_t const elements = count(e.sizes(), E::shape.rank) * cut_.pieces;
      kernels.push_back(
          kernel_of(e, {{type_text<T>, elements, sizeof(T)}, known->second, "out", true}));
      folded.all.push_back({type_text<T>, elements, sizeof(T)});
    }
    folded.places[Folded::node(e)] = known->second;
  }

  template <class E>
  Kernel kernel_of(E const& e, FoldedParts own) {
    Walk walk(*functions_);
    walk.cut = cut_;
    walk.folded = &folded;
    Loops loops(walk.listing, 0);
    Places const at = open_rows(walk, sizes_of(walk, e), E::shape.rank, 0, loops);
    int const block = loops.block();
    Range const range = range_of(walk, folded_axes(walk, e).text(walk.variables), block);
    std::string const total = walk.listing.text(folded_range(walk, e, at, block, range));
    if (cut_.has_members) loops.enter_header("if (member == 0)");
    walk.listing.line(loops.block(), "out[row] = " + total + ";");
    loops.close();
    Kernel kernel{name_ + "_" + own.name, {}, own.type, own.elements, own.element_bytes};
    kernel.folds.push_back(std::move(own));
    return with_text(std::move(kernel), walk, "// out: pieces of " + type_of_recipe<E>() + "\n",
                     {});
  }

  Functions* functions_;
  Cut cut_;
  std::string name_;
  Walk walk_;  ///< Tells which folds are equal.
  std::map<Identity, std::size_t> known_;
};

}  // namespace tenon::source
