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

#include <optional>

#include <tenon/backend/source/tile_loops.hpp>
#include <tenon/tenon.hpp>

/// Products of floats by groups of work items, with the maps that follow.
namespace tenon::source {

template <class E>
inline constexpr bool is_tileable = false;
template <class A, class B, class Rule>
inline constexpr bool is_tileable<Contract<A, B, Rule>> =
    Strided<A> && Strided<B> && std::floating_point<typename A::value_type>;

/// Where the elements of a product's factor lie: steps along its axes, and the first one.
struct Lying {
  Sizes steps{};
  std::int64_t start = 0;
};
template <class E>
Lying lying_of(E const& e) {
  auto const memory = memory_of(e);
  return {memory.strides, memory.data - internal::stored_elements(base_of(e))};
}

/// A product in numbers, where a kernel in tiles is worth it; none where it is not.
template <class E>
std::optional<ProductNumbers> tiles_of(Functions const& functions, E const& e) {
  if constexpr (is_tileable<E>) {
    if (functions.dialect().group_kernel.empty()) return std::nullopt;
    Lying const a = lying_of(operand_at<0>(e)), b = lying_of(operand_at<1>(e));
    ProductNumbers numbers = numbers_of(labels_of(E::contraction, e.extents(), a.steps, b.steps,
                                                  row_major(e.sizes(), E::shape.rank)));
    numbers.a_start = a.start, numbers.b_start = b.start;
    if (numbers.is_exchanged) std::swap(numbers.a_start, numbers.b_start);
    if (is_worth_tiles(numbers.labels, functions.is_processor)) return numbers;
  }
  return std::nullopt;
}

/// Says what becomes of the sums: `say(places, block)` for an element of the result at places.
template <class E, class Say>
void say_results(Walk& walk, TileLoops& tiles, ProductNumbers const& numbers, E const& e,
                 Say const& say) {
  constexpr int rank = E::shape.rank;
  Quantities const sizes = sizes_of(walk, e);
  Loops loops(walk.listing, 0);
  tiles.open_sums(loops);
  LoopLabels const& columns = numbers.labels.columns;
  Places at{};
  bool const has_lines = rank > 1 && columns.size == 1 && columns[0].c == 1 &&
                         columns[0].extent == e.sizes()[static_cast<std::size_t>(rank - 1)];
  int const lines = has_lines ? rank - 1 : rank;
  std::string const length = product_text(walk.variables, sizes, lines, rank);
  int const block = has_lines ? tiles.line_block() : loops.block();
  std::string const place = has_lines ? "c_row / " + length : tiles.result_index();
  walk.listing.line(block, "i64 const line = " + place + ";");
  walk.rows = {lines, walk.listing.parameter("line", block), sizes};
  for (int i = 0; i < rank; ++i) at[static_cast<std::size_t>(i)] = {{Rows::term(i)}};
  if (has_lines) at[rank - 1] = {{walk.listing.parameter("j", loops.block())}};
  (void)walk.listing.within(loops.block(), [&] { return say(at, loops.block()), 0; });
  loops.close();
}

/// A product whose kernel goes on to compute a recipe that reads it at `value`; `stores` says
/// whether it is wanted there, too.
struct ProductValue {
  void const* value = nullptr;
  bool stores = false;
};

/// What is stored for each sum: the product itself, where that is wanted, and the recipe.
template <class E>
void say_stores(Walk& walk, TileLoops& tiles, ProductNumbers const& numbers, ProductValue own,
                E const& e) {
  say_results(walk, tiles, numbers, e, [&](Places const& at, int block) {
    int const sum = walk.listing.parameter(tiles.sum(), block);
    walk.product = [sum](Places const&) { return sum; };
    std::string result = tiles.sum();
    if constexpr (!is_contract<E>) result = term_of(element_of(walk, e, at)).text;
    std::string const place = "[" + tiles.result_index() + "] = ";
    if (own.stores) walk.listing.line(block, "product" + place + tiles.sum() + ";");
    walk.listing.line(block, "out" + place + result + ";");
  });
}

/// Says the sums of a product of `left` and `right`.
inline void say_sums_of(TileLoops& tiles, ProductNumbers const& numbers, std::string const& left,
                        std::string const& right) {
  if (numbers.is_exchanged) tiles.say_sums(right, left);
  else tiles.say_sums(left, right);
}

/// The kernel of a product in tiles, and of a recipe that reads it, or of it alone.
template <class P, class E>
Kernel tiled(Functions& functions, ProductNumbers const& numbers, P const& product, E const& e,
             ProductValue own = {}) {
  using T = typename P::value_type;
  using R = typename E::value_type;
  Walk walk(functions);
  auto const left = walk.memories[walk.memories.find(base_of(operand_at<0>(product)))].name;
  auto const right = walk.memories[walk.memories.find(base_of(operand_at<1>(product)))].name;
  TileLoops tiles(walk, numbers, tiling_of(numbers.labels, functions.is_processor), P::knows_sizes,
                  type_text<T>);
  say_sums_of(tiles, numbers, left, right);
  walk.own_value = own.value;
  walk.product_sizes = sizes_of(walk, product);
  say_stores(walk, tiles, numbers, own, e);
  Kernel kernel{"kernel_0", {}, type_text<R>, count(e.sizes(), E::shape.rank), sizeof(R)};
  kernel.work = tiles.work(), kernel.product = own.value, kernel.product_type = type_text<T>;
  std::vector<Argument> first{{Argument::Is::result}};
  if (own.stores) first.push_back({Argument::Is::product});
  return with_text(std::move(kernel), walk, "// out: " + type_of_recipe<E>() + "\n", first);
}

}  // namespace tenon::source
