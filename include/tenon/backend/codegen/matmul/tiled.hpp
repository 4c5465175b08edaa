#pragma once

#include <optional>

#include <tenon/backend/codegen/matmul/tile_loops.hpp>

/// Matmuls of floats by work groups, fused with the elementwise ops that follow.
namespace tenon::internal::codegen {

/// Whether a node is a matmul of floats whose operands are in memory.
bool is_tileable(Node e);
/// Whether all sizes of a contraction are static.
bool knows_sizes(Node product);

/// Emits the sums of a matmul of `left` and `right`.
void emit_sums_of(TileLoops& tiles, ProductNumbers const& numbers, std::string const& left,
                  std::string const& right);

/// The numbers of a matmul, if a tiled kernel pays; none otherwise.
std::optional<ProductNumbers> tiles_of(Functions const& functions, Node e);

/// A matmul fused with an expression that reads it at `value`; `stores` tells whether it is also
/// stored there.
struct ProductValue {
  void const* value = nullptr;
  bool stores = false;
};

/// The kernel of a tiled matmul, and of an expression that reads it, or of it alone.
Kernel tiled(Functions& functions, ProductNumbers const& numbers, Node product, Node e,
             ProductValue own = {});

/// The adjoint of an operand as a matmul: if it is required and tiles pay, and no element of the
/// operand is read twice.
std::optional<ProductNumbers> tiles_back(Functions const& functions, Wanted const& wanted, Node e,
                                         bool is_left);

/// The kernel that adds to the adjoint of an operand.
Kernel tiled_factor(Functions& functions, std::string name, ProductNumbers const& numbers, Node e,
                    bool is_left);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

#include <tenon/core/config.hpp>

namespace tenon::internal::codegen {

TENON_RUNTIME bool is_tileable(Node e) {
  if (!e.is(NodeKind::product) || !e->text->reduction->rounds) return false;
  for (std::size_t k = 0; k < 2; ++k) {
    Node const own = e.operand_at(k);
    bool const is_moved = own.is(NodeKind::index_map) && own.operand_at(0).is(NodeKind::tensor);
    if (!own.is(NodeKind::tensor) && !own.is(NodeKind::step) && !is_moved) return false;
  }
  return true;
}

TENON_RUNTIME std::optional<ProductNumbers> tiles_of(Functions const& functions, Node e) {
  if (!is_tileable(e) || functions.dialect().group_kernel.empty()) return std::nullopt;
  OperandMemory const a = memory_of(e.operand_at(0)), b = memory_of(e.operand_at(1));
  ProductNumbers numbers = numbers_of(labels_of(e, a.strides, b.strides));
  numbers.a_start = a.start, numbers.b_start = b.start;
  if (numbers.is_exchanged) std::swap(numbers.a_start, numbers.b_start);
  if (is_worth_tiles(numbers.labels, functions.is_processor)) return numbers;
  return std::nullopt;
}

/// Emits the use of the sums: `emit(places, block)` for an element of the result at these indices.
TENON_RUNTIME void emit_results(Walk& walk, TileLoops& tiles, ProductNumbers const& numbers, Node e,
                                Callback<void(Places const&, int)> const& emit) {
  int const rank = e.rank();
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
  if (has_lines)
    at[static_cast<std::size_t>(rank - 1)] = {{walk.listing.parameter("j", loops.block())}};
  (void)walk.listing.within(loops.block(), [&] { return emit(at, loops.block()), 0; });
  loops.close();
}

/// Emits the stores for each sum: the matmul itself, if required, and the expression.
TENON_RUNTIME void emit_stores(Walk& walk, TileLoops& tiles, ProductNumbers const& numbers,
                               ProductValue own, Node e) {
  emit_results(walk, tiles, numbers, e, [&](Places const& at, int block) {
    int const sum = walk.listing.parameter(tiles.sum(), block);
    walk.product = [sum](Places const&) { return sum; };
    std::string result = tiles.sum();
    if (!e.is(NodeKind::product))
      result = text_of(walk.listing, element_of(walk, e, at), *e->text->dtype);
    std::string const place = "[" + tiles.result_index() + "] = ";
    if (own.stores) walk.listing.line(block, "product" + place + tiles.sum() + ";");
    walk.listing.line(block, "out" + place + result + ";");
  });
}

TENON_RUNTIME void emit_sums_of(TileLoops& tiles, ProductNumbers const& numbers,
                                std::string const& left, std::string const& right) {
  if (numbers.is_exchanged) tiles.emit_sums(right, left);
  else tiles.emit_sums(left, right);
}

TENON_RUNTIME bool knows_sizes(Node product) {
  return product.operand_at(0)->shape->is_static() && product.operand_at(1)->shape->is_static();
}

TENON_RUNTIME Kernel tiled(Functions& functions, ProductNumbers const& numbers, Node product,
                           Node e, ProductValue own) {
  Walk walk(functions);
  auto const left = walk.memories[walk.memories.find(base_of(product.operand_at(0)))].name;
  auto const right = walk.memories[walk.memories.find(base_of(product.operand_at(1)))].name;
  std::string_view const type = product->text->dtype->text;
  TileLoops tiles(walk, numbers, tiling_of(numbers.labels, functions.is_processor),
                  knows_sizes(product), type);
  emit_sums_of(tiles, numbers, left, right);
  walk.own_value = own.value;
  walk.product_sizes = sizes_of(walk, product);
  emit_stores(walk, tiles, numbers, own, e);
  Kernel kernel = kernel_without_text(e, "kernel_0");
  kernel.work = tiles.work(), kernel.product = own.value, kernel.product_type = type;
  std::vector<Argument> first{{Argument::Is::result}};
  if (own.stores) first.push_back({Argument::Is::product});
  return with_text(std::move(kernel), walk, "// out: " + ir::type_text(e) + "\n", first);
}

}  // namespace tenon::internal::codegen

/// Backward of tiled matmuls: the adjoint of an operand is a matmul, too.
namespace tenon::internal::codegen {

/// The contraction that computes the adjoint of one operand from that of the result and the other
/// operand.
TENON_RUNTIME Contraction backward_rule(Contraction const& rule, bool is_left) {
  Contraction back = rule;
  back.left = rule.out;
  back.right = is_left ? rule.right : rule.left;
  back.out = is_left ? rule.left : rule.right;
  return back;
}

TENON_RUNTIME std::optional<ProductNumbers> tiles_back(Functions const& functions,
                                                       Wanted const& wanted, Node e, bool is_left) {
  if (!is_tileable(e) || functions.dialect().group_kernel.empty()) return std::nullopt;
  Node const own = e.operand_at(is_left ? 0 : 1);
  if (own.overlaps() || !wanted(base_of(own).mark())) return std::nullopt;
  OperandMemory const c = memory_of(own), b = memory_of(e.operand_at(is_left ? 1 : 0));
  Sizes const adjoint = row_major(e.sizes(), e.rank());
  ProductNumbers numbers = numbers_of(labels_of(backward_rule(*e->contraction, is_left),
                                                e.extents(), adjoint, b.strides, c.strides));
  numbers.b_start = b.start, numbers.c_start = c.start;
  if (numbers.is_exchanged) std::swap(numbers.a_start, numbers.b_start);
  bool const is_any = numbers.results() > 0;
  if (is_any && is_worth_tiles(numbers.labels, functions.is_processor)) return numbers;
  return std::nullopt;
}

TENON_RUNTIME Kernel tiled_factor(Functions& functions, std::string name,
                                  ProductNumbers const& numbers, Node e, bool is_left) {
  Walk walk(functions);
  Node const own = base_of(e.operand_at(is_left ? 0 : 1));
  auto const other = walk.memories.find(base_of(e.operand_at(is_left ? 1 : 0)));
  LeafAdjoint adjoint{walk.memories[walk.memories.find(own)], own.mark(), "g0"};
  adjoint.elements = own.count();
  adjoint.element_bytes = static_cast<std::int64_t>(e->text->dtype->bytes);
  TileLoops tiles(walk, numbers, tiling_of(numbers.labels, functions.is_processor), knows_sizes(e),
                  e->text->dtype->text);
  emit_sums_of(tiles, numbers, "adjoint", walk.memories[other].name);
  Loops loops(walk.listing, 0);
  tiles.open_sums(loops);
  walk.listing.line(loops.block(), "g0[" + tiles.result_index() + "] += " + tiles.sum() + ";");
  loops.close();
  Kernel kernel = kernel_without_text(e, std::move(name));
  kernel.adjoints = {adjoint};
  kernel.work = tiles.work();
  std::string const comments = adjoint_comments(kernel, ir::type_text(e));
  return with_text(std::move(kernel), walk, comments,
                   {{Argument::Is::adjoint}, {Argument::Is::leaf_adjoint, 0}});
}

}  // namespace tenon::internal::codegen

#endif
