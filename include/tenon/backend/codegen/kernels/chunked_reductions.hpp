#pragma once

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/core/config.hpp>

namespace tenon::internal::codegen {

/// The kernels that reduce the rows of an expression in chunks, the deepest first: the kernel of
/// the expression combines their partial results.
class ChunkKernels {
 public:
  ChunkKernels(Functions& functions, Cut const& cut, std::string name)
      : functions_(&functions), cut_(cut), name_(std::move(name)), walk_(functions) {}

  Cut const& cut() const { return cut_; }

  std::vector<Kernel> kernels{};
  Reduced reduced{};

  void add(Node e);

 private:
  void add_reduction(Node reduction);
  Kernel kernel_of(Node reduction, ReducedParts own);

  Functions* functions_;
  Cut cut_;
  std::string name_;
  Walk walk_;  ///< Identifies equal reductions.
  std::map<Identity, std::size_t> known_;
};

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::codegen {

TENON_RUNTIME void ChunkKernels::add(Node e) {
  if (!e->has_reduction && !e.is(NodeKind::reduction)) return;
  e.each([&](Node operand) { add(operand); });
  if (e.is(NodeKind::reduction)) add_reduction(e);
}

TENON_RUNTIME void ChunkKernels::add_reduction(Node reduction) {
  auto const [known, is_new] = known_.try_emplace(identity(walk_, reduction), reduced.all.size());
  if (is_new) {
    Reduced::Parts const parts{reduction->text->dtype->text, reduction.count() * cut_.pieces,
                               static_cast<std::int64_t>(reduction->text->dtype->bytes)};
    kernels.push_back(kernel_of(reduction, {parts, known->second, "out", true}));
    reduced.all.push_back(parts);
  }
  reduced.places[Reduced::node(reduction)] = known->second;
}

TENON_RUNTIME Kernel ChunkKernels::kernel_of(Node reduction, ReducedParts own) {
  Walk walk(*functions_);
  walk.cut = cut_;
  walk.reduced = &reduced;
  Loops loops(walk.listing, 0);
  Places const at = open_rows(walk, sizes_of(walk, reduction), reduction.rank(), 0, loops);
  int const block = loops.block();
  Range const range = range_of(walk, reduced_axes(walk, reduction).text(walk.variables), block);
  std::string const total = walk.listing.text(reduced_range(walk, reduction, at, block, range));
  if (cut_.has_members) loops.enter_header("if (member == 0)");
  walk.listing.line(loops.block(), "out[row] = " + total + ";");
  loops.close();
  Kernel kernel{name_ + "_" + own.name, {}, own.type, own.elements, own.element_bytes};
  kernel.reductions.push_back(std::move(own));
  return with_text(std::move(kernel), walk, "// out: pieces of " + ir::type_text(reduction) + "\n",
                   {});
}

}  // namespace tenon::internal::codegen

#endif
